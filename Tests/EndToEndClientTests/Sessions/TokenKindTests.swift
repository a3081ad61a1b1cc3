import Base
import Cryptography
import EndToEndSupport
import HTTPWire
import JOSE
import PhoneKeys
import StrictJSON
import Testing

/// Sends each kind of token to the verifier of every other kind, also under `typ: JWT`. Each verifier accepts one kind.
@Suite struct TokenKindTests {
    private enum Kind: String {
        case accessToken = "access token"
        case refreshToken = "refresh token"
        case pollSecret = "poll secret"
        case proof = "proof of a renewal"
        case backendKey = "backend key"
        case other
    }

    private struct Token {
        let kind: Kind
        let name: String
        let text: String

        /// Whether this is a token with another `typ`, and `typ: JWT` is in the list too.
        var hasOtherType: Bool { self.name.contains("typ ") && !self.name.hasSuffix("typ JWT") }

        init(_ kind: Kind, _ text: String) { (self.kind, self.name, self.text) = (kind, kind.rawValue, text) }

        /// A token that no place accepts.
        init(_ name: String, _ text: String) { (self.kind, self.name, self.text) = (.other, name, text) }
    }

    /// Where a token is sent, and the kind that is accepted there.
    private struct Place {
        let name: String
        let kind: Kind
        let send: (String) async throws -> Answer

        var isForJWT: Bool { [.accessToken, .proof].contains(self.kind) }
    }

    private static let backendKey = "0123456789abcdefghijklmnopqrstuvwxyz-ABCDEF"

    @Test func `each verifier accepts one kind`() async throws {
        let stage = try await SessionStage.start(app: ", api_key: \(Self.backendKey)")
        let phone = try SessionPhone(stage.server.url)
        let app = try await stage.session(phone)
        let tokens = try await Self.tokens(phone, app)
        for place in Self.places(phone, app) {
            // What is no JWT has no `typ`, and a session may send twenty requests at once.
            for token in tokens where place.isForJWT || !token.hasOtherType {
                let answer = try await place.send(token.text)
                if let nonce = answer[.dpopNonce] { #expect(!nonce.isEmpty) }
                let isAccepted = answer.status == 200
                #expect(isAccepted == (token.kind == place.kind), "\(token.name) at \(place.name): \(answer.brief)")
                #expect(answer.status < 500, "\(token.name) at \(place.name)")
            }
        }
        // Nothing of this is a refresh token to be revoked.
        for token in tokens where token.kind != .refreshToken {
            #expect(try await Self.post("/oauth/revoke", ["token": token.text], phone).status == 200)
        }
        #expect(try await phone.send({ try phone.renewal() }).status == 200)
        await stage.stop()
    }

    /// An API verifies an access token, and a backend an assertion, each with the keys that are published for it.
    @Test func `access tokens and assertions have keys of their own`() async throws {
        let stage = try await SessionStage.start()
        let phone = try SessionPhone(stage.server.url)
        let app = try await stage.session(phone)
        let accessToken = try #require(phone.accessToken)
        let assertion = try #require(try await app.poll().json?["assertion"]?.string)
        for (path, good, bad) in [
            ("access-jwks.json", accessToken, assertion), ("jwks.json", assertion, accessToken),
        ] {
            let keys = try JWKSet(
                parsing: try await TestClient.send("GET", "\(phone.server)/.well-known/\(path)").body)
            _ = try CompactJWS(parsing: good).verified(with: keys, allowing: [.es256])
            #expect(throws: (any Error).self, "\(path)") {
                try CompactJWS(parsing: bad).verified(with: keys, allowing: [.es256])
            }
        }
        let types = try [accessToken, assertion].map { try CompactJWS(parsing: $0).header.type }
        #expect(types == ["at+jwt", "login+jwt"])
        await stage.stop()
    }

    // MARK: - Tokens

    private static func tokens(_ phone: SessionPhone, _ app: PhoneApp) async throws -> [Token] {
        let accessToken = try #require(phone.accessToken)
        let assertion = try #require(try await app.poll().json?["assertion"]?.string)
        let keys = try ServerPEM.get()
        // Our own keys under our own `kid`, for what we would never sign.
        let ofAccess = try SampleTests.Forger(accessToken, pem: keys.access)
        let ofAssertions = try SampleTests.Forger(assertion, pem: keys.assertion)
        let url = phone.server + "/oauth/token"
        func proof(_ type: String?, _ change: (inout PhoneKey.Parts) -> Void = { _ in }) throws -> String {
            try phone.key.proof("POST", url, nonce: phone.nonce) {
                $0.header["typ"] = type.map(JSON.string)
                change(&$0)
            }
        }
        var tokens = [
            Token(.accessToken, accessToken), Token(.refreshToken, try #require(phone.refreshToken)),
            Token(.pollSecret, app.secret), Token(.backendKey, Self.backendKey),
            Token(.proof, try proof("dpop+jwt")), Token("assertion", assertion),
            Token("login's id", try #require(app.id)), Token("session's id", phone.session),
            Token("nonce", try #require(phone.nonce)), Token("thumbprint", phone.key.thumbprint),
            Token("proof for another request", try phone.key.proof("GET", url, nonce: phone.nonce)),
        ]
        for type in ["JWT", "at+jwt", "login+jwt", "dpop+jwt", "id_token"] {
            let claims = ofAccess.claims
            if type != "at+jwt" {
                let both: [String: JSON] = [
                    "htm": "POST", "htu": .string(url), "nonce": .string(phone.nonce ?? ""),
                ]
                tokens += [
                    Token("access token with typ \(type)", try ofAccess.token(type: type)),
                    Token("access token that is a proof too, with typ \(type)", try ofAccess.token(both, type: type)),
                ]
            }
            if type != "dpop+jwt" {
                tokens.append(Token("proof with typ \(type)", try proof(type)))
                let signed = try proof(type) { parts in for (name, value) in claims { parts.claims[name] = value } }
                tokens.append(Token("access token by the phone, with typ \(type)", signed))
            }
            tokens += [
                Token("assertion with typ \(type)", try ofAssertions.token(type: type)),
                Token(
                    "assertion that names the session, with typ \(type)",
                    try ofAssertions.token(Dictionary(uniqueKeysWithValues: claims.map { ($0, $1) }), type: type)),
            ]
        }
        tokens.append(Token("proof without typ", try proof(nil)))
        return tokens
    }

    // MARK: - Places

    private static func places(_ phone: SessionPhone, _ app: PhoneApp) -> [Place] {
        let list = "/v1/sessions"
        return [
            Place(name: "the access token of a list", kind: .accessToken) { text in
                let proof = try phone.key.proof("GET", phone.server + list, nonce: phone.nonce, accessToken: text)
                return try await Self.send(
                    "GET", list, [Parameter("Authorization", "DPoP \(text)"), Parameter("DPoP", proof)], phone)
            },
            Place(name: "the refresh token of a renewal", kind: .refreshToken) { text in
                try await Self.post("/oauth/token", Self.form(text, phone), phone, proof: try Self.proof(phone))
            },
            Place(name: "the proof of a renewal", kind: .proof) { text in
                try await Self.post("/oauth/token", Self.form(phone.refreshToken ?? "", phone), phone, proof: text)
            },
            Place(name: "the poll secret of a poll", kind: .pollSecret) { text in
                try await Self.send(
                    "GET", "/v1/logins/\(app.id ?? "")", [Parameter("Authorization", "Bearer \(text)")], phone)
            },
            Place(name: "the poll secret of a begin", kind: .pollSecret) { text in
                let proof = try phone.key.proof("POST", phone.server + list, nonce: phone.nonce)
                return try await Self.send(
                    "POST", list, [Parameter("Authorization", "Bearer \(text)"), Parameter("DPoP", proof)], phone)
            },
            Place(name: "the key of a backend", kind: .backendKey) { text in
                try await Self.send(
                    "POST", "/v1/sessions/search",
                    [Parameter("Api-Key", text), Parameter("Content-Type", "application/json")], phone,
                    body: Array(#"{"subject":"x"}"#.utf8))
            },
        ]
    }

    private static func proof(_ phone: SessionPhone) throws -> String {
        try phone.key.proof("POST", phone.server + "/oauth/token", nonce: phone.nonce)
    }

    private static func form(_ refreshToken: String, _ phone: SessionPhone) -> [(String, String)] {
        [("grant_type", "refresh_token"), ("client_id", phone.client), ("refresh_token", refreshToken)]
    }

    private static func post(
        _ path: String, _ form: KeyValuePairs<String, String>, _ phone: SessionPhone
    ) async throws -> Answer { try await Self.post(path, form.map { ($0.key, $0.value) }, phone, proof: nil) }

    private static func post(
        _ path: String, _ form: [(String, String)], _ phone: SessionPhone, proof: String?
    ) async throws -> Answer {
        let fields = [Parameter("Content-Type", "application/x-www-form-urlencoded")]
        let body = FormBody.encode(form.map { Parameter($0.0, $0.1) })
        return try await Self.send(
            "POST", path, fields + (proof.map { [Parameter("DPoP", $0)] } ?? []), phone, body: Array(body.utf8))
    }

    /// The tokens of the phone stay as they are, whatever comes back.
    private static func send(
        _ method: String, _ path: String, _ fields: [Parameter], _ phone: SessionPhone, body: [UInt8] = []
    ) async throws -> Answer {
        var answer: Answer
        repeat {
            answer = try await TestClient.send(method, phone.server + path, fields: fields, body: body)
            guard answer.status == 429, let seconds = answer[.retryAfter].flatMap({ Int($0) }) else { return answer }
            try await Task.sleep(for: .seconds(seconds))
        } while true
    }
}
