import Base
import EndToEndSupport
import JOSE
import KeyFiles
import StrictJSON
import Testing

/// One way to log in at a foreign provider, and the client that the provider must know for it.
struct ForeignVariant: Sendable, CustomTestStringConvertible {
    enum Credentials: String, Sendable {
        case right
        /// The provider knows a different key with the same id, or a different secret where there is no key.
        case wrong
    }

    let program: ForeignProgram
    var how = BrokerVariant()
    var credentials = Credentials.right
    /// Distinguishes variants that are otherwise the same.
    var suffix = ""
    /// Glewlwyd without `glewlwyd_relay.py`, which adds the browser's session to the token request.
    var isUnaided = false

    /// What differs from the usual way: the full list would be longer than a name may be.
    var name: String {
        let usual = BrokerVariant()
        let words = [
            self.program.rawValue,
            self.how.authentication == usual.authentication ? "" : self.how.authentication,
            self.how.responseMode == usual.responseMode ? "" : self.how.responseMode,
            self.how.requestStyle == usual.requestStyle ? "" : self.how.requestStyle,
            self.how.signingAlgorithm == usual.signingAlgorithm ? "" : self.how.signingAlgorithm,
            self.how.idTokenAlgorithm == usual.idTokenAlgorithm ? "" : "id \(self.how.idTokenAlgorithm)",
            self.how.encryption ?? "",
            self.how.userinfo == usual.userinfo ? "" : "info \(self.how.userinfo)",
            self.credentials == .right ? "" : "wrong",
            self.isUnaided ? "unaided" : "",
            self.suffix,
        ]
        return words.filter { !$0.isEmpty }.joined(separator: "_").lowercased().replacing(/[^a-z0-9]+/, with: "_")
    }
    var testDescription: String { self.name }

    /// The provider that requests a fresh login with `prompt=login`; the one with the variant's name uses `max_age`.
    var prompting: String { "\(self.name)_prompt" }

    /// Glewlwyd drops leading zeros of an ECDH key and of the agreed secret, so about one in a hundred of its encrypted
    /// tokens is unreadable (RFC 7518 §6.2.1.2, §4.6.2).
    var tries: Int { self.program == .glewlwyd && self.how.encryption?.hasPrefix("ECDH") == true ? 4 : 1 }

    /// Long enough for HS256. It needs no encoding in HTTP Basic, because not all providers decode it.
    static let secret = "a-secret-of-more-than-32-characters"

    private var isAssertion: Bool { self.how.authentication == "private_key_jwt" }
    private var isRequestObject: Bool { self.how.requestStyle.hasSuffix("jar") }
    private var hasKey: Bool { self.isAssertion || (self.isRequestObject && !self.isMAC) }
    private var isMAC: Bool { self.how.signingAlgorithm.hasPrefix("HS") }
}

// MARK: - What the provider knows

extension ForeignVariant {
    /// Returns the client's metadata under the names of OpenID Connect Registration, and `unaided`.
    func registration(for url: String) throws -> JSON.Object {
        var client: JSON.Object = [
            "client_id": .string(self.name), "redirect_uris": [.string("\(url)/callback/\(self.name)")],
            "token_endpoint_auth_method": .string(self.how.authentication), "response_types": ["code"],
            "id_token_signed_response_alg": .string(self.how.idTokenAlgorithm),
        ]
        if self.how.usesSecret { client["client_secret"] = .string(self.knownSecret) }
        if self.isAssertion { client["token_endpoint_auth_signing_alg"] = .string(self.how.signingAlgorithm) }
        if self.how.authentication == "client_secret_jwt" { client["token_endpoint_auth_signing_alg"] = "HS256" }
        if self.isRequestObject { client["request_object_signing_alg"] = .string(self.how.signingAlgorithm) }
        // Glewlwyd forgets a pushed `response_mode`.
        if self.how.requestStyle.hasPrefix("par") { client["response_mode"] = .string(self.how.responseMode) }
        if self.isUnaided { client["unaided"] = true }
        let encryption = try self.encryption(in: &client)
        let keys = try [self.signingKey, encryption].compactMap { $0 }
        if !keys.isEmpty { client["jwks"] = JWKSet(keys).json }
        return client
    }

    private var knownSecret: String {
        self.credentials == .right || self.hasKey ? Self.secret : "another-secret-of-more-than-32-characters"
    }

    /// The key for what we sign. Canaille takes the first of several keys, whatever the `kid`.
    private var signingKey: JWK? {
        get throws {
            guard self.hasKey else { return nil }
            let isElliptic = self.how.signingAlgorithm == "ES256"
            let keys = try ServerPEM.get()
            let key = try PrivateKey(pem: Secret(isElliptic ? keys.es256 : keys.rsa))
            let signing = try #require(SigningKey(key, algorithm: isElliptic ? .es256 : nil))
            guard self.credentials == .wrong else { return signing.jwk }
            let other = try PrivateKey.generate(isElliptic ? .p256 : .rsa(bits: 2048))
            return other.publicKey.jwk(keyID: signing.keyID)
        }
    }

    /// Adds to the client how responses are encrypted, and returns the key for that.
    private func encryption(in client: inout JSON.Object) throws -> JWK? {
        if self.how.userinfo != "json" { client["userinfo_signed_response_alg"] = .string(self.how.idTokenAlgorithm) }
        guard let words = self.how.encryption?.split(separator: " "), words.count == 2 else { return nil }
        for answer in ["id_token"] + (self.how.userinfo == "encrypted" ? ["userinfo"] : []) {
            client["\(answer)_encrypted_response_alg"] = .string(String(words[0]))
            client["\(answer)_encrypted_response_enc"] = .string(String(words[1]))
        }
        let keys = try ServerPEM.get()
        return try DecryptionKeyFile(words[0].hasPrefix("RSA") ? keys.rsaDecryption : keys.ecDecryption).jwk
    }
}

// MARK: - What we know

extension ForeignVariant {
    /// Returns the broker's settings: only the agreed algorithm is accepted, and without leeway, because there is only
    /// one clock.
    func broker(issuer: String) -> String {
        let how = self.how
        let secret = how.usesSecret ? "client_secret: \(Self.secret), " : ""
        let signing = "\(self.isMAC ? "request_object_algorithm" : "signing_algorithm"): \(how.signingAlgorithm), "
        return """
              \(self.name): {kind: oidc, issuer: "\(issuer)", client_id: \(self.name), \
            client_authentication: \(how.authentication), \(secret)\(signing)assertion_audience: endpoint, \
            response_mode: \(how.responseMode), request_style: \(how.requestStyle), \
            id_token_algorithms: [\(how.idTokenAlgorithm)], id_token_encrypted: \(how.encryption != nil), \
            userinfo_format: \(how.userinfo), clock_leeway: 0, \
            issuer_in_response: \(self.program.names(itselfIn: how) ? "require" : "optional"), allow_insecure_loopback: true}
            """
    }

    /// Two providers: one requests a fresh login with `max_age`, one with `prompt=login`.
    var providers: String {
        [(self.name, "max_age: 300"), (self.prompting, "prompt: login")].map { name, freshness in
            "  \(name): {broker: \(self.name), names: {en: Foreign}, scope: [openid, profile, email], "
                + "claims: [given_name, email], \(freshness)}"
        }
        .joined(separator: "\n")
    }
}
