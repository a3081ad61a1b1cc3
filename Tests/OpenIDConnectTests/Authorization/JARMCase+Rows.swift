// Signed authorization responses, right and wrong (JARM 2.1 and 2.4). The time is 1800000000, the leeway 30 s.

import Base
import JOSE
import OpenIDConnect
import Testing

extension JARMCase {
    static let all = Self.signatures + Self.parties + Self.members + Self.surroundings

    static let signatures: [Self] = [
        Self("fapi2-message-signing-final-client-test-happy-path", nil) { _ in },
        Self("ES256", nil) { $0.sign(.es256, "p256") },
        Self("ensure-jarm-signature-is-not-none", .responseAlgorithm) {
            $0.header = ["alg": "none"]
            $0.change = { String($0[...(try #require($0.lastIndex(of: ".")))]) }
        },
        Self("alg None", .responseAlgorithm) { $0.header["alg"] = "None" },
        Self("an algorithm that is not allowed", .responseAlgorithm) { $0.sign(.ps256, "rsa") },
        Self("HS256 with our public key", .responseAlgorithm) { $0.header["alg"] = "HS256" },
        Self("ensure-jarm-with-invalid-sig-fails", .responseSignature) { minted in
            minted.change = { token in
                let parts = token.split(separator: ".")
                var signature = try #require(Base64URL.decode(String(parts[2])))
                signature[signature.count / 2] ^= 1
                return "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature))"
            }
        },
        Self("no signature", .responseSignature) {
            $0.change = { String($0[...(try #require($0.lastIndex(of: ".")))]) }
        },
        Self("an unknown key", .responseKey) { $0.header["kid"] = "rsa2" },
        Self("kid absent, several keys", .responseKey) {
            $0.header["kid"] = nil
            $0.published = try JWKSet($0.published.keys + [TestKeys.shared().otherRSA.publicKey.jwk(keyID: "other")])
        },
        Self("typ JWT", nil) { $0.header["typ"] = "JWT" },
        Self("typ at+jwt", .responseType) { $0.header["typ"] = "at+jwt" },
        Self("typ oauth-authz-req+jwt", .responseType) { $0.header["typ"] = "oauth-authz-req+jwt" },
        Self("crit", .responseMalformed) { $0.header["crit"] = ["exp"] },
        Self("empty", .responseMalformed) { $0.change = { _ in "" } },
        Self("encrypted", .responseMalformed) { $0.change = { $0 + ".x.x" } },
        Self("a query", .responseMalformed) { $0.change = { _ in "code=c&state=right" } },
        Self("far too long", .responseTooLarge) { $0.claims["x"] = .string(String(repeating: "x", count: 100_000)) },
        Self("claims not JSON", .responseClaims) { $0.payload = Array("code=c".utf8) },
        Self("claims a list", .responseClaims) { $0.payload = Array("[]".utf8) },
        Self("a code twice", .responseClaims) {
            $0.payload = Array(
                #"{"iss":"https://id.example","aud":"app","exp":1800000060,"state":"right","code":"c","code":"d"}"#.utf8
            )
        },
    ]

    static let parties: [Self] = [
        Self("ensure-jarm-without-iss-fails", .responseIssuerMissing) { $0.claims["iss"] = nil },
        Self("ensure-jarm-with-invalid-iss-fails", .responseIssuer) { $0.claims["iss"] = "https://evil.example" },
        Self("iss with a slash more", .responseIssuer) { $0.claims["iss"] = "https://id.example/" },
        Self("iss null", .responseIssuerMissing) { $0.claims["iss"] = .some(.null) },
        Self("aud null", .responseAudienceMissing) { $0.claims["aud"] = .some(.null) },
        Self("exp null", .responseExpiryMissing) { $0.claims["exp"] = .some(.null) },
        Self("nbf null", nil) { $0.claims["nbf"] = .some(.null) },
        Self("error null beside a code", nil) { $0.claims["error"] = .some(.null) },
        Self("code null", .codeOrError) { $0.claims["code"] = .some(.null) },
        Self("state null", .state) { $0.claims["state"] = .some(.null) },
        Self("kid null", nil) { $0.header["kid"] = .some(.null) },
        Self("crit null", .responseMalformed) { $0.header["crit"] = .some(.null) },
        Self("iss a list", .responseClaims) { $0.claims["iss"] = ["https://id.example"] },
        Self("ensure-jarm-without-aud-fails", .responseAudienceMissing) { $0.claims["aud"] = nil },
        Self("ensure-jarm-with-invalid-aud-fails", .responseAudience) { $0.claims["aud"] = "other" },
        Self("aud us in a list", nil) { $0.claims["aud"] = ["app"] },
        Self("aud us and another", .responseAudience) { $0.claims["aud"] = ["app", "other"] },
        Self("aud an empty list", .responseAudience) { $0.claims["aud"] = [] },
        Self("aud in other case", .responseAudience) { $0.claims["aud"] = "App" },
        Self("aud a number", .responseClaims) { $0.claims["aud"] = 1 },
        Self("ensure-jarm-without-exp-fails", .responseExpiryMissing) { $0.claims["exp"] = nil },
        Self("ensure-jarm-with-expired-exp-fails", .responseExpired) { $0.claims["exp"] = 1_799_999_700 },
        Self("exp just within the leeway", nil) { $0.claims["exp"] = 1_799_999_971 },
        Self("exp at the end of the leeway", .responseExpired) { $0.claims["exp"] = 1_799_999_970 },
        Self("exp as text", .responseClaims) { $0.claims["exp"] = "1800000060" },
        Self("exp a word", .responseClaims) { $0.claims["exp"] = "never" },
        Self("exp the least integer", .responseClaims) { $0.claims["exp"] = .integer(.min) },
        Self("nbf past", nil) { $0.claims["nbf"] = 1_799_999_000 },
        Self("nbf in the future", .responseNotYetValid) { $0.claims["nbf"] = 1_800_000_031 },
    ]

    static let members: [Self] = [
        Self("an error", nil) {
            $0.claims["code"] = nil
            $0.claims["error"] = "access_denied"
        },
        Self("more than we know", nil) {
            $0.claims["session_state"] = "x"
            $0.claims["expires_in"] = 300
            $0.claims["x"] = ["code": "d"]
        },
        Self("the state missing", .state) { $0.claims["state"] = nil },
        Self("ensure-authorization-response-with-invalid-state-fails", .state) { $0.claims["state"] = "wrong" },
        Self("a state that is a number", .responseClaims) { $0.claims["state"] = 1 },
        Self("a description that is a number", nil) { $0.claims["error_description"] = 5 },
        Self("a code that is a list", .responseClaims) { $0.claims["code"] = ["c"] },
        Self("an error that is an object", .responseClaims) { $0.claims["error"] = [:] },
        Self("neither code nor error", .codeOrError) { $0.claims["code"] = nil },
        Self("code and error", .codeOrError) { $0.claims["error"] = "access_denied" },
        Self("an empty code", .code) { $0.claims["code"] = "" },
        Self("a response within the response", .responseUnasked) { $0.claims["response"] = "a.b.c" },
        // Core 2: it is signed with the same key, for the same client.
        Self("an ID token", .state) {
            $0.claims = [
                "iss": "https://id.example", "aud": "app", "exp": 1_800_000_300, "iat": 1_800_000_000,
                "sub": "{248289761001}", "nonce": "bm9uY2U",
            ]
        },
    ]

    static let surroundings: [Self] = [
        Self("plain, though signed was asked for", .responseMissing) {
            $0.brought = { _ in
                [Parameter("code", "c"), Parameter("state", "right"), Parameter("iss", "https://id.example")]
            }
        },
        Self("nothing at all", .responseMissing) { $0.brought = { _ in [] } },
        Self("a code beside it", .responseNotAlone) {
            $0.brought = { [Parameter("response", $0), Parameter("code", "d")] }
        },
        Self("a state beside it", .responseNotAlone) {
            $0.brought = { [Parameter("state", "right"), Parameter("response", $0)] }
        },
        Self("an issuer beside it", .responseNotAlone) {
            $0.brought = { [Parameter("response", $0), Parameter("iss", "https://id.example")] }
        },
        Self("something else beside it", nil) {
            $0.brought = { [Parameter("response", $0), Parameter("session_state", "x")] }
        },
        Self("two of them", .repeatedParameter) {
            $0.brought = { [Parameter("response", $0), Parameter("response", $0)] }
        },
    ]
}
