// Turns an ID token into an identity: finds the key, verifies the signature, and validates all claims (Core 3.1.3.7).

import Base
import JOSE
import OpenIDConnect
import BenchmarkSupport

extension Row {
    static func idToken(_ algorithm: SignatureAlgorithm, _ keys: Keys, aim: Double) async throws -> Row {
        let key = keys.key(for: algorithm)
        let signer = try JWTSigner(key: key, algorithm: algorithm, keyID: "2026-01")
        let directory = try Provider.directory(key.publicKey.jwk(keyID: signer.keyID))
        let tokens = try (0..<1000).map { try Token($0, signer) }
        // A server reads these once, from its configuration.
        let (algorithms, acrValues): (Set, _) = ([algorithm], ["urn:example:loa:substantial"])
        let bare = try BareSignature(key, algorithm)
        return Row(
            "ID token, \(algorithm.rawValue)", aim: aim,
            speed: algorithm == .es256 ? \.p256.verify : \.rsa.verify,
            ours: Work { number in
                let token = tokens[number % tokens.count]
                var rules = IDTokenRules(
                    issuer: Provider.issuer, clientID: Provider.clientID, nonce: token.nonce,
                    algorithms: algorithms, now: Provider.now + .milliseconds(number % 10_000))
                rules.acrValues = acrValues
                rules.acrMustMatch = true
                rules.freshSince = Provider.now
                let judged = try await IDToken.validate(token.compact, rules: rules, directory: directory)
                guard judged.subject.utf8.count == 36 else { throw BareSignature.Failure() }
            },
            bare: Work { try bare.verify($0) })
    }

    /// A token like those of e-ID brokers.
    private struct Token {
        let compact: String
        let nonce: String

        init(_ number: Int, _ signer: JWTSigner) throws {
            self.nonce = Base64URL.encode(RandomBytes.make(32))
            let session = Base64URL.encode(RandomBytes.make(16))
            self.compact = try signer.sign(
                [
                    "iss": .string(Provider.issuer), "aud": .string(Provider.clientID),
                    "sub": .string("{5a6c0d9e-7b1f-4c55-9a3e-2f8f\(100_000 + number)}"),
                    "nonce": .string(self.nonce), "iat": .integer(Provider.now.seconds),
                    "nbf": .integer(Provider.now.seconds), "exp": .integer(Provider.now.seconds + 300),
                    "auth_time": .integer(Provider.now.seconds), "acr": "urn:example:loa:substantial",
                    "amr": ["mfa", "sms"], "identityscheme": "example", "sid": .string(session),
                    "name": .string("Nicoline Example \(number)"), "birthdate": "1970-01-01", "country": "DK",
                ], type: "JWT")
        }
    }
}
