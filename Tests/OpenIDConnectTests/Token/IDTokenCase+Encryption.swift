// ID tokens that are encrypted, or should be (Core 3.1.3.7, 1; RFC 7519 §5.2).

import Base
import JOSE
import OpenIDConnect
import StrictJSON
import Testing

extension IDTokenCase {
    static let encryption: [Self] = [
        Self("signed, then encrypted", nil) { try Self.encrypt(&$0) { try Encrypted.token($0) } },
        Self("with A128CBC-HS256", nil) { try Self.encrypt(&$0) { try Encrypted.token($0, .a128CBCHS256) } },
        Self("without cty", nil) { try Self.encrypt(&$0) { try Encrypted.token($0, contentType: nil) } },
        Self("agreed, and it is not encrypted", .notEncrypted) { try Self.encrypt(&$0) { $0 } },
        Self("not agreed, and it is encrypted", .encrypted) { $0.change = { try Encrypted.token($0) } },
        Self("encrypted twice", .malformed) {
            try Self.encrypt(&$0) { try Encrypted.token(Encrypted.token($0)) }
        },
        Self("encrypted and not signed", .malformed) { minted in
            let claims = JSON.object(minted.claims).encoded()
            try Self.encrypt(&minted) { _ in try Encrypted.token(String(decoding: claims, as: UTF8.self)) }
        },
        Self("encrypted, with alg none inside", .algorithm) {
            try Self.encrypt(&$0) { try Encrypted.token($0) }
            $0.header["alg"] = "none"
        },
        Self("encrypted, signed by another", .signature) {
            try Self.encrypt(&$0) { try Encrypted.token($0) }
            $0.published = try JWKSet([TestKeys.shared().otherRSA.publicKey.jwk(keyID: "rsa")])
        },
        Self("encrypted, for another", .audience) {
            try Self.encrypt(&$0) { try Encrypted.token($0) }
            $0.claims["aud"] = "other"
        },
        Self("to a key that is none of ours", .encryptionKey) {
            try Self.encrypt(&$0) { try Encrypted.token($0, keyID: "enc2") }
        },
        Self("in a way that we do not decrypt", .encryptionAlgorithm) {
            try Self.encrypt(&$0) { try Encrypted.token($0, algorithm: .rsaOAEP) }
        },
        Self("a content encryption that we do not decrypt", .encryptionAlgorithm) {
            try Self.encrypt(&$0) { try Encrypted.token($0, .a128GCM) }
        },
        Self("encrypted, and changed", .decryption) {
            try Self.encrypt(&$0) { token in
                var parts = try Encrypted.token(token).split(separator: ".").map(String.init)
                var text = try #require(Base64URL.decode(parts[3]))
                text[0] ^= 1
                parts[3] = Base64URL.encode(text)
                return parts.joined(separator: ".")
            }
        },
        Self("encrypted, without a tag", .malformed) {
            try Self.encrypt(&$0) { token in
                let encrypted = try Encrypted.token(token)
                return String(encrypted[...(try #require(encrypted.lastIndex(of: ".")))])
            }
        },
        Self("encrypted, and far too long", .tooLarge) {
            try Self.encrypt(&$0) { _ in "..." + String(repeating: "x", count: 100_000) + "." }
        },
        Self("four dots", .malformed) { try Self.encrypt(&$0) { _ in "...." } },
    ]

    private static func encrypt(
        _ minted: inout Minted, _ change: @escaping (String) throws -> String
    ) throws {
        minted.rules.decrypter = try Encrypted.decrypter()
        minted.change = change
    }
}
