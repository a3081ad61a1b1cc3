// Userinfo as a JWT, right and wrong (Core 5.3.2 and 5.3.4).

import Base
import OpenIDConnect

extension UserInfoCase {
    static let all = Self.signed + Self.claims + Self.encrypted

    static let signed: [Self] = [
        Self("oidcc-client-test-userinfo-signed", nil) { _ in },
        Self("either, and it is signed", nil) { $0.rules.formats = [.json, .signed] },
        Self("a type with parameters", nil) { $0.contentType = "Application/JWT; charset=utf-8" },
        Self("signed, unagreed", .contentType) { $0.rules.formats = [.json] },
        Self("plain, though signed was agreed", .contentType) {
            $0.contentType = "application/json"
            $0.change = { _ in #"{"sub":"{x-1}"}"# }
        },
        Self("plain within the type of a JWT", .form(.malformed)) { $0.change = { _ in #"{"sub":"{x-1}"}"# } },
        Self("a JWT within the type of JSON", .malformed) {
            $0.rules.formats = [.json, .signed]
            $0.contentType = "application/json"
        },
        Self("of no type", .contentType) { $0.contentType = nil },
        Self("optional claims null", nil) { minted in
            for name in ["iss", "aud", "exp", "nbf", "name"] { minted.claims[name] = .some(.null) }
        },
        Self("sub null", .subjectMissing) { $0.claims["sub"] = .some(.null) },
        Self("refused", .status(401)) { $0.status = 401 },
        Self("too much", .tooLarge) { $0.change = { $0 + String(repeating: "x", count: 256 * 1024) } },
        Self("longer than a JWT is", .form(.tooLarge)) {
            $0.claims["x"] = .string(String(repeating: "x", count: 100_000))
        },
        Self("alg none", .form(.algorithm)) { $0.header["alg"] = "none" },
        Self("an algorithm that is not allowed", .form(.algorithm)) { $0.header["alg"] = "PS256" },
        Self("a signature cut off", .form(.signature)) { minted in
            minted.change = { String($0.prefix { $0 != "." }) + "." + $0.split(separator: ".")[1] + "." }
        },
        Self("claims changed after signing", .form(.signature)) { minted in
            minted.change = { token in
                let parts = token.split(separator: ".")
                return "\(parts[0]).\(Base64URL.encode(Array(#"{"sub":"{x-1}"}"#.utf8))).\(parts[2])"
            }
        },
        Self("an unknown key", .form(.unknownKey)) { $0.header["kid"] = "rsa2" },
        Self("typ JWT", nil) { $0.header["typ"] = "JWT" },
        Self("typ at+jwt", .form(.type)) { $0.header["typ"] = "at+jwt" },
        Self("typ logout+jwt", .form(.type)) { $0.header["typ"] = "logout+jwt" },
    ]

    static let claims: [Self] = [
        Self("oidcc-client-test-userinfo-invalid-sub", .subject) { $0.claims["sub"] = "{x-2}" },
        Self("no sub", .subjectMissing) { $0.claims["sub"] = nil },
        Self("sub a number", .malformed) { $0.claims["sub"] = 1 },
        // Core 5.3.2: both are a SHOULD in a signed response.
        Self("no iss and no aud", nil) {
            $0.claims["iss"] = nil
            $0.claims["aud"] = nil
        },
        Self("iss another", .rules(.issuer)) { $0.claims["iss"] = "https://evil.example" },
        Self("iss a list", .rules(.claimType)) { $0.claims["iss"] = ["https://id.example"] },
        Self("aud another", .rules(.audience)) { $0.claims["aud"] = "other" },
        Self("aud an empty list", .rules(.audience)) { $0.claims["aud"] = [] },
        Self("aud us twice", nil) { $0.claims["aud"] = ["app", "app"] },
        Self("aud us and another", .party(.foreignAudience)) {
            $0.claims["aud"] = ["other", "app"]
            $0.claims["azp"] = "app"
        },
        Self("aud us and a trusted one, azp us", nil) {
            $0.rules.trustedAudiences = ["other"]
            $0.claims["aud"] = ["other", "app"]
            $0.claims["azp"] = "app"
        },
        Self("aud us and a trusted one, no azp", .party(.authorizedPartyMissing)) {
            $0.rules.trustedAudiences = ["other"]
            $0.claims["aud"] = ["other", "app"]
        },
        Self("aud us and a trusted one, azp the other", .party(.authorizedParty)) {
            $0.rules.trustedAudiences = ["other"]
            $0.claims["aud"] = ["other", "app"]
            $0.claims["azp"] = "other"
        },
        Self("aud a trusted one alone", .rules(.audience)) {
            $0.rules.trustedAudiences = ["other"]
            $0.claims["aud"] = "other"
        },
        Self("azp another", .party(.authorizedParty)) { $0.claims["azp"] = "other" },
        Self("aud a number", .rules(.claimType)) { $0.claims["aud"] = 1 },
        Self("no exp", nil) { $0.claims["exp"] = nil },
        Self("exp past", .rules(.expired)) { $0.claims["exp"] = 1_799_999_970 },
        Self("exp as text", .rules(.claimType)) { $0.claims["exp"] = "1800000300" },
        Self("nbf in the future", .rules(.notYetValid)) { $0.claims["nbf"] = 1_800_000_031 },
        Self("claims a list", .form(.claims)) { $0.payload = Array("[]".utf8) },
        Self("a sub twice", .form(.claims)) { $0.payload = Array(#"{"sub":"{x-1}","sub":"{x-1}"}"#.utf8) },
    ]

    static let encrypted: [Self] = [
        Self("signed, then encrypted", nil) { $0.encrypt() },
        Self("with A128CBC-HS256", nil) { $0.encrypt(.a128CBCHS256) },
        Self("either, and it is encrypted", nil) {
            $0.encrypt()
            $0.rules.formats = [.signed, .encrypted]
        },
        Self("either, and it is not", nil) { $0.rules.formats = [.signed, .encrypted] },
        Self("encrypted, unagreed", .form(.encrypted)) {
            $0.encrypt()
            $0.rules.formats = [.signed]
        },
        Self("encrypted, and we have no key", .form(.encrypted)) {
            $0.encrypt()
            $0.rules.decrypter = nil
        },
        Self("only signed, though encryption was agreed", .form(.notEncrypted)) { $0.rules.formats = [.encrypted] },
        Self("only encrypted", .form(.malformed)) {
            $0.encrypt()
            $0.change = { _ in try Encrypted.token(#"{"sub":"{x-1}"}"#, contentType: nil) }
        },
        Self("about somebody else", .subject) {
            $0.encrypt()
            $0.claims["sub"] = "{x-2}"
        },
        Self("encrypted, with a signature that is none", .form(.algorithm)) {
            $0.encrypt()
            $0.header["alg"] = "none"
        },
        Self("to a key that is none of ours", .form(.encryptionKey)) { $0.encrypt(keyID: "enc2") },
    ]
}
