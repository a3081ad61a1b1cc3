// ID tokens of another issuer or for another client (Core 3.1.3.7, 2 to 5).

import OpenIDConnect

extension IDTokenCase {
    static let parties: [Self] = [
        Self("oidcc-client-test-invalid-iss", .issuer) { $0.claims["iss"] = "https://evil.example" },
        Self("fapi2-…-invalid-missing-iss", .issuerMissing) { $0.claims["iss"] = nil },
        Self("iss with a slash more", .issuer) { $0.claims["iss"] = "https://id.example/" },
        Self("iss in other case", .issuer) { $0.claims["iss"] = "https://ID.example" },
        Self("iss of composed characters", .issuer) {
            $0.rules.issuer = "https://id.example/\u{e9}"
            $0.claims["iss"] = "https://id.example/e\u{301}"
        },
        Self("iss a list", .claimType) { $0.claims["iss"] = ["https://id.example"] },

        Self("oidcc-client-test-invalid-aud", .audience) { $0.claims["aud"] = "other" },
        Self("oidcc-client-test-missing-aud", .audienceMissing) { $0.claims["aud"] = nil },
        Self("fapi2-…-valid-aud-as-array", nil) { $0.claims["aud"] = ["app"] },
        Self("fapi2-…-invalid-secondary-aud", .foreignAudience) { $0.claims["aud"] = ["app", "other"] },
        Self("aud beginning with us", .audience) { $0.claims["aud"] = "app2" },
        Self("aud empty", .audience) { $0.claims["aud"] = "" },
        Self("aud an empty list", .audienceMissing) { $0.claims["aud"] = [] },
        Self("aud a list of others", .audience) { $0.claims["aud"] = ["a", "b"] },
        Self("aud a number", .claimType) { $0.claims["aud"] = 1 },
        Self("aud with a number in it", .claimType) { $0.claims["aud"] = ["app", 1] },
        Self("aud an object", .claimType) { $0.claims["aud"] = ["app": true] },

        Self("azp us", nil) { $0.claims["azp"] = "app" },
        Self("azp another", .authorizedParty) { $0.claims["azp"] = "other" },
        Self("azp a list", .claimType) { $0.claims["azp"] = ["app"] },
        Self("two audiences, azp us", nil) {
            $0.rules.trustedAudiences = ["other"]
            $0.claims["aud"] = ["app", "other"]
            $0.claims["azp"] = "app"
        },
        Self("two audiences, no azp", .authorizedPartyMissing) {
            $0.rules.trustedAudiences = ["other"]
            $0.claims["aud"] = ["app", "other"]
        },
        Self("two audiences, azp the other", .authorizedParty) {
            $0.rules.trustedAudiences = ["other"]
            $0.claims["aud"] = ["app", "other"]
            $0.claims["azp"] = "other"
        },
        Self("two audiences, one foreign, azp us", .foreignAudience) {
            $0.claims["aud"] = ["app", "other"]
            $0.claims["azp"] = "app"
        },
        Self("one audience twice", nil) { $0.claims["aud"] = ["app", "app"] },
        Self("one audience twice, azp another", .authorizedParty) {
            $0.claims["aud"] = ["app", "app"]
            $0.claims["azp"] = "other"
        },
        Self("a foreign audience twice", .foreignAudience) { $0.claims["aud"] = ["app", "other", "other"] },
        Self("two audiences, one trusted twice, no azp", .authorizedPartyMissing) {
            $0.rules.trustedAudiences = ["other"]
            $0.claims["aud"] = ["app", "other", "other"]
        },
        Self("three audiences, one foreign, azp us", .foreignAudience) {
            $0.rules.trustedAudiences = ["other"]
            $0.claims["aud"] = ["app", "other", "third"]
            $0.claims["azp"] = "app"
        },
        Self("trusted audiences are no patterns", .foreignAudience) {
            $0.rules.trustedAudiences = ["*", "oth*", "Other", "other/", "o.her"]
            $0.claims["aud"] = ["app", "other"]
            $0.claims["azp"] = "app"
        },
        // Swift's == takes both for the same text.
        Self("a trusted audience is compared code point by code point", .foreignAudience) {
            $0.rules.trustedAudiences = ["caf\u{E9}"]
            $0.claims["aud"] = ["app", "cafe\u{301}"]
            $0.claims["azp"] = "app"
        },
        Self("two audiences, the second written otherwise, both trusted", nil) {
            $0.rules.trustedAudiences = ["caf\u{E9}", "cafe\u{301}"]
            $0.claims["aud"] = ["caf\u{E9}", "cafe\u{301}", "app"]
            $0.claims["azp"] = "app"
        },
        Self("a trusted audience alone, azp us", .audience) {
            $0.rules.trustedAudiences = ["other"]
            $0.claims["aud"] = "other"
            $0.claims["azp"] = "app"
        },
        Self("a trusted audience alone", .audience) {
            $0.rules.trustedAudiences = ["other"]
            $0.claims["aud"] = "other"
        },
    ]
}
