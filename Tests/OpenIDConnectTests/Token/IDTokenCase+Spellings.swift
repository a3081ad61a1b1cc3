// Claims and headers that are `null`: absent where they are optional, missing where they are required.

import Base
import OpenIDConnect
import StrictJSON

extension IDTokenCase {
    static let spellings: [Self] = optional + required + numbers

    private static func claim(_ name: String, _ expected: IDTokenError?) -> Self {
        Self("\(name) null", expected) { $0.claims[name] = .some(.null) }
    }

    private static let optional: [Self] = [
        // goauthentik/authentik#3739.
        claim("c_hash", nil), claim("at_hash", nil), claim("acr", nil), claim("azp", nil), claim("nbf", nil),
        claim("auth_time", nil), claim("amr", nil), claim("name", nil),
        Self("c_hash null, though a code was exchanged", nil) {
            $0.rules.code = Secret("code")
            $0.claims["c_hash"] = .some(.null)
        },
        Self("kid null", nil) { $0.header["kid"] = .some(.null) },
        Self("typ null", nil) { $0.header["typ"] = .some(.null) },
        Self("cty null", nil) { $0.header["cty"] = .some(.null) },
    ]

    private static let required: [Self] = [
        claim("iss", .issuerMissing), claim("aud", .audienceMissing), claim("exp", .expiryMissing),
        claim("iat", .issuedAtMissing), claim("nonce", .nonceMissing), claim("sub", .subjectMissing),
        Self("azp null beside a second audience", .authorizedPartyMissing) {
            $0.rules.trustedAudiences = ["other"]
            $0.claims["aud"] = ["app", "other"]
            $0.claims["azp"] = .some(.null)
        },
        Self("acr null, though it was asked for", .acrMissing) {
            $0.rules.acrValues = ["urn:high"]
            $0.rules.acrMustMatch = true
            $0.claims["acr"] = .some(.null)
        },
        Self("auth_time null, though max_age was sent", .authTimeMissing) {
            $0.rules.maxAge = 60
            $0.claims["auth_time"] = .some(.null)
        },
        Self("auth_time null, though the login must be fresh", .authTimeMissing) {
            $0.rules.freshSince = Example.now
            $0.claims["auth_time"] = .some(.null)
        },
        Self("aud with a null in it", .claimType) { $0.claims["aud"] = ["app", .null] },
        Self("alg null", .malformed) { $0.header["alg"] = .some(.null) },
        Self("crit null", .malformed) { $0.header["crit"] = .some(.null) },
        Self("b64 null", .malformed) { $0.header["b64"] = .some(.null) },
    ]

    private static let numbers: [Self] = [
        Self("a number beyond 64 bits", nil) { $0.payload = payload(#""id":12345678901234567890123"#) },
        Self("exp empty", .claimType) { $0.claims["exp"] = "" },
        Self("auth_time as text", .claimType) { $0.claims["auth_time"] = "1799999990" },
        Self("exp beyond all time", .claimType) { $0.payload = payload(#""exp":99999999999999999999999"#) },
        Self("a claim twice, once null", .claims) { $0.payload = payload(#""iss":null"#) },
        Self("a claim twice, deep inside", .claims) { $0.payload = payload(#""x":{"y":[{"z":1,"z":null}]}"#) },
    ]

    /// The usual claims, with one more member as it is written. `exp` is left out if the member is that.
    private static func payload(_ member: String) -> [UInt8] {
        var claims = (try? Minted())?.claims ?? [:]
        if member.hasPrefix("\"exp\"") { claims["exp"] = nil }
        return JSON.object(claims).encoded().dropLast() + Array(",\(member)}".utf8)
    }
}
