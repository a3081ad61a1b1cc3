// ID tokens with all kinds of signatures, keys and algorithms (Core 3.1.3.7, 6 to 8).

import Base
import Cryptography
import JOSE
import OpenIDConnect
import StrictJSON
import Testing

extension IDTokenCase {
    static let signatures: [Self] = [
        Self("oidcc-client-test", nil) { _ in },
        Self("oidcc-client-test-idtoken-sig-rs256", nil) { $0.sign(.rs256, "rsa") },
        Self("RS384", nil) { $0.sign(.rs384, "rsa") },
        Self("RS512", nil) { $0.sign(.rs512, "rsa") },
        Self("PS256", nil) { $0.sign(.ps256, "rsa") },
        Self("PS384", nil) { $0.sign(.ps384, "rsa") },
        Self("PS512", nil) { $0.sign(.ps512, "rsa") },
        Self("ES256", nil) { $0.sign(.es256, "p256") },
        Self("ES384", nil) { $0.sign(.es384, "p384") },
        Self("ES512", nil) { $0.sign(.es512, "p521") },
        Self("EdDSA", nil) { $0.sign(.edDSA, "ed25519") },
        Self("Ed25519", nil) { $0.sign(.ed25519, "ed25519") },
        Self("oidcc-client-test-kid-absent-single-jwks", nil) { $0.header["kid"] = nil },
        Self("oidcc-client-test-kid-absent-multiple-jwks", .ambiguousKey) {
            $0.header["kid"] = nil
            $0.published = try JWKSet($0.published.keys + [TestKeys.shared().otherRSA.publicKey.jwk(keyID: "other")])
        },
        Self("kid absent, the other key is for another algorithm", nil) {
            $0.header["kid"] = nil
            let other = try TestKeys.shared().otherRSA.publicKey.jwk(keyID: "other", algorithm: .ps256)
            $0.published = JWKSet($0.published.keys + [other])
        },
        Self("oidcc-client-test-idtoken-sig-none", .algorithm) {
            $0.header = ["alg": "none"]
            $0.change = { String($0[...(try #require($0.lastIndex(of: ".")))]) }
        },
        Self("alg None", .algorithm) { $0.header["alg"] = "None" },
        Self("alg empty", .algorithm) { $0.header["alg"] = "" },
        Self("alg rs256", .algorithm) { $0.header["alg"] = "rs256" },
        Self("alg missing", .malformed) { $0.header["alg"] = nil },
        Self("alg a list", .malformed) { $0.header["alg"] = ["RS256"] },
        Self("oidcc-client-test-invalid-sig-hs256", .algorithm) { minted in
            minted.header["alg"] = "HS256"
            let key = try Secret(#require(minted.published.keys.first).json.encoded())
            minted.change = { token in
                let input = token[..<(try #require(token.lastIndex(of: ".")))]
                return input + "." + Base64URL.encode(HMAC.code(Array(input.utf8), key: key))
            }
        },
        Self("fapi2-security-profile-final-client-test-invalid-alternate-alg", .algorithm) {
            $0.sign(.ps256, "rsa")
            $0.rules.algorithms = [.rs256, .es256]
        },
        Self("no algorithm allowed", .algorithm) { $0.rules.algorithms = [] },
        Self("oidcc-client-test-invalid-sig-rs256", .signature) { $0.change = Self.spoilSignature },
        Self("oidcc-client-test-invalid-sig-es256", .signature) {
            $0.sign(.es256, "p256")
            $0.change = Self.spoilSignature
        },
        Self("no signature", .signature) { $0.change = { String($0[...(try #require($0.lastIndex(of: ".")))]) } },
        Self("claims changed after signing", .signature) { minted in
            let claims = Base64URL.encode(JSON.object(minted.claims).encoded())
            minted.claims["sub"] = "other"
            minted.change = { token in
                let parts = token.split(separator: ".")
                return "\(parts[0]).\(claims).\(parts[2])"
            }
        },
        Self("the name of one key, the signature of another", .signature) {
            $0.published = try JWKSet([TestKeys.shared().otherRSA.publicKey.jwk(keyID: "rsa")])
        },
        Self("a key in the header", .signature) {
            $0.header["jwk"] = $0.published.keys.first?.json
            $0.published = try JWKSet([TestKeys.shared().otherRSA.publicKey.jwk(keyID: "rsa")])
        },
        Self("unknown kid", .unknownKey) { $0.header["kid"] = "rsa2" },
        Self("kid in other case", .unknownKey) { $0.header["kid"] = "RSA" },
        Self("kid of a key of another kind", .unknownKey) { $0.header["kid"] = "p256" },
        Self("a key for encryption", .unknownKey) {
            $0.published = try JWKSet([TestKeys.shared().rsa.publicKey.jwk(keyID: "rsa", use: "enc")])
        },
        Self("a key for another algorithm", .unknownKey) {
            $0.published = try JWKSet([TestKeys.shared().rsa.publicKey.jwk(keyID: "rsa", algorithm: .rs512)])
        },
    ]

    /// Flips one bit in the middle of the signature, where no byte affects its form.
    @Sendable private static func spoilSignature(_ token: String) throws -> String {
        let parts = token.split(separator: ".")
        var signature = try #require(Base64URL.decode(parts[2]))
        signature[signature.count / 2] ^= 1
        return "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature))"
    }
}
