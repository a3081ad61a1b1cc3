// ID tokens that are too early, too late, or too old (Core 3.1.3.7, 9, 10 and 13). The time is 1800000000, the leeway
// 30 s.

import Base
import OpenIDConnect

extension IDTokenCase {
    static let times: [Self] = [
        Self("exp just within the leeway", nil) { $0.claims["exp"] = 1_799_999_971 },
        Self("exp at the end of the leeway", .expired) { $0.claims["exp"] = 1_799_999_970 },
        Self("fapi2-…-invalid-expired-exp", .expired) { $0.claims["exp"] = 1_799_999_700 },
        Self("fapi2-…-invalid-missing-exp", .expiryMissing) { $0.claims["exp"] = nil },
        Self("exp as text", .claimType) { $0.claims["exp"] = "1800000300" },
        Self("exp with parts of a second", nil) { $0.claims["exp"] = 1_800_000_300.75 },
        Self("exp past, as text", .claimType) { $0.claims["exp"] = "1700000000" },
        Self("exp a word", .claimType) { $0.claims["exp"] = "never" },
        Self("exp an empty text", .claimType) { $0.claims["exp"] = "" },
        Self("exp a text with a sign", .claimType) { $0.claims["exp"] = "+1800000300" },
        Self("exp hexadecimal", .claimType) { $0.claims["exp"] = "0x6B49D200" },
        Self("exp infinite", .claimType) { $0.claims["exp"] = "inf" },
        Self("exp beyond any calendar", .claimType) { $0.claims["exp"] = 1e300 },
        Self("exp the greatest integer", .claimType) { $0.claims["exp"] = .integer(.max) },
        Self("exp the least integer", .claimType) { $0.claims["exp"] = .integer(.min) },
        Self("exp true", .claimType) { $0.claims["exp"] = true },

        Self("oidcc-client-test-missing-iat", .issuedAtMissing) { $0.claims["iat"] = nil },
        Self("iat within the leeway", nil) { $0.claims["iat"] = 1_800_000_030 },
        Self("iat in the future", .issuedInFuture) { $0.claims["iat"] = 1_800_000_031 },
        Self("iat as old as may be", nil) { $0.claims["iat"] = 1_799_999_370 },
        Self("iat of another day", .issuedTooLongAgo) { $0.claims["iat"] = 1_799_999_369 },
        Self("iat as text", .claimType) { $0.claims["iat"] = "1800000000" },
        Self("iat in milliseconds", .issuedInFuture) { $0.claims["iat"] = 900_000_000_000 },
        Self("iat before 1970", .claimType) { $0.claims["iat"] = -1 },
        Self("iat a list", .claimType) { $0.claims["iat"] = [1_800_000_000] },

        Self("nbf past", nil) { $0.claims["nbf"] = 1_799_999_000 },
        Self("nbf within the leeway", nil) { $0.claims["nbf"] = 1_800_000_030 },
        Self("nbf in the future", .notYetValid) { $0.claims["nbf"] = 1_800_000_031 },
        Self("nbf as text", .claimType) { $0.claims["nbf"] = "1799999000" },
        Self("nbf an object", .claimType) { $0.claims["nbf"] = [:] },

        Self("auth_time missing, unasked", nil) { $0.claims["auth_time"] = nil },
        Self("auth_time long ago, unasked", nil) { $0.claims["auth_time"] = 1_700_000_000 },
        Self("auth_time in the future", .authTimeInFuture) { $0.claims["auth_time"] = 1_800_000_031 },
        Self("auth_time a date", .claimType) { $0.claims["auth_time"] = "2027-01-15T08:00:00Z" },
        Self("max_age, auth_time as text", .claimType) {
            $0.rules.maxAge = 10
            $0.claims["auth_time"] = "1799999990"
        },
        Self("max_age, auth_time missing", .authTimeMissing) {
            $0.rules.maxAge = 10
            $0.claims["auth_time"] = nil
        },
        Self("max_age, just kept", nil) {
            $0.rules.maxAge = 10
            $0.claims["auth_time"] = 1_799_999_960
        },
        Self("max_age, exceeded", .authTimeTooOld) {
            $0.rules.maxAge = 10
            $0.claims["auth_time"] = 1_799_999_959
        },
        Self("max_age 0", nil) { $0.rules.maxAge = 0 },
        Self("prompt=login, authenticated since", nil) { $0.rules.freshSince = Timestamp(seconds: 1_799_999_980) },
        Self("prompt=login, in the same second", nil) {
            $0.rules.freshSince = Timestamp(milliseconds: 1_799_999_990_999)
        },
        Self("prompt=login, within the leeway", nil) { $0.rules.freshSince = Timestamp(seconds: 1_800_000_020) },
        Self("prompt=login, an old session", .notFresh) { $0.rules.freshSince = Timestamp(seconds: 1_800_000_021) },
        Self("prompt=login, auth_time missing", .authTimeMissing) {
            $0.rules.freshSince = Timestamp(seconds: 1_799_999_980)
            $0.claims["auth_time"] = nil
        },
    ]
}
