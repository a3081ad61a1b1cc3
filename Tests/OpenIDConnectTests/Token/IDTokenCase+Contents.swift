// ID tokens whose content is not what we asked for (Core 2, 3.1.3.7, 11 and 12, 3.1.3.8).

import Base
import OpenIDConnect
import StrictJSON

extension IDTokenCase {
    static let contents: [Self] = [
        Self("oidcc-client-test-nonce-invalid", .nonce) { $0.claims["nonce"] = "other" },
        Self("fapi2-…-invalid-missing-nonce", .nonceMissing) { $0.claims["nonce"] = nil },
        Self("nonce empty", .nonce) { $0.claims["nonce"] = "" },
        Self("nonce cut", .nonce) { $0.claims["nonce"] = "bm9uY2" },
        Self("nonce in other case", .nonce) { $0.claims["nonce"] = "bm9uY2u" },
        Self("nonce a list", .claimType) { $0.claims["nonce"] = ["bm9uY2U"] },
        Self("no nonce was sent", .nonce) {
            $0.rules.nonce = ""
            $0.claims["nonce"] = ""
        },

        Self("oidcc-client-test-missing-sub", .subjectMissing) { $0.claims["sub"] = nil },
        Self("sub empty", .subject) { $0.claims["sub"] = "" },
        Self("sub of 255", nil) { $0.claims["sub"] = .string(String(repeating: "s", count: 255)) },
        Self("sub of 256", .subject) { $0.claims["sub"] = .string(String(repeating: "s", count: 256)) },
        Self("sub not ASCII", .subject) { $0.claims["sub"] = "sœur" },
        Self("sub with a line break", .subject) { $0.claims["sub"] = "a\nb" },
        Self("sub a number", .claimType) { $0.claims["sub"] = 248_289_761_001 },

        Self("acr as asked", nil) { Self.ask(&$0, acr: "urn:high") },
        Self("acr the other one asked for", nil) { Self.ask(&$0, acr: "urn:substantial") },
        Self("acr lower", .acr) { Self.ask(&$0, acr: "urn:low") },
        Self("acr in other case", .acr) { Self.ask(&$0, acr: "urn:High") },
        Self("acr missing", .acrMissing) { Self.ask(&$0, acr: nil) },
        Self("acr a list", .claimType) { Self.ask(&$0, acr: ["urn:high"]) },
        Self("acr lower, asked as a wish", nil) {
            Self.ask(&$0, acr: "urn:low")
            $0.rules.acrMustMatch = false
        },
        Self("acr missing, asked as a wish", nil) {
            Self.ask(&$0, acr: nil)
            $0.rules.acrMustMatch = false
        },

        Self("oidcc-client-test-missing-athash", nil) { $0.rules.accessToken = Secret("token") },
        Self("at_hash right", nil) { Self.hash(&$0, "PEaenWxYddN6Q_NT1PiOYQ") },
        Self("oidcc-client-test-invalid-athash", .accessTokenHash) { Self.hash(&$0, "PEaenWxYddN6Q_NT1PiOYA") },
        Self("at_hash of the whole digest", .accessTokenHash) {
            Self.hash(&$0, "PEaenWxYddN6Q_NT1PiOYfz4EsZu7jRXRlpAsNpBU-A")
        },
        Self("at_hash padded", .accessTokenHash) { Self.hash(&$0, "PEaenWxYddN6Q_NT1PiOYQ==") },
        Self("at_hash empty", .accessTokenHash) { Self.hash(&$0, "") },
        Self("at_hash a number", .claimType) { Self.hash(&$0, 1) },
        Self("at_hash without an access token", nil) { $0.claims["at_hash"] = "x" },
        Self("at_hash right, by the digest of ES384", nil) {
            $0.sign(.es384, "p384")
            Self.hash(&$0, "Cm6hANx1qgPTYYSWu3KFaieklEAsPkh3")
        },
        Self("at_hash of another digest than that of ES384", .accessTokenHash) {
            $0.sign(.es384, "p384")
            Self.hash(&$0, "PEaenWxYddN6Q_NT1PiOYQ")
        },
        Self("at_hash right, of a token that was not kept", nil) { try Self.hashOnly(&$0, "PEaenWxYddN6Q_NT1PiOYQ") },
        Self("at_hash wrong, of a token that was not kept", .accessTokenHash) {
            try Self.hashOnly(&$0, "PEaenWxYddN6Q_NT1PiOYA")
        },
        Self("at_hash empty, of a token that was not kept", .accessTokenHash) { try Self.hashOnly(&$0, "") },
        Self("at_hash of another digest, of a token that was not kept", .accessTokenHash) {
            $0.sign(.es384, "p384")
            try Self.hashOnly(&$0, "PEaenWxYddN6Q_NT1PiOYQ")
        },
        Self("at_hash right by ES384, of a token that was not kept", nil) {
            $0.sign(.es384, "p384")
            try Self.hashOnly(&$0, "Cm6hANx1qgPTYYSWu3KFaieklEAsPkh3")
        },
        // Core 3.3.2.11. Another program computed the hash.
        Self("oidcc-client-test-missing-chash", nil) { $0.rules.code = Secret("code") },
        Self("c_hash right", nil) { Self.codeHash(&$0, "VpTQii5T_8rgwxA-Wtb2Bw") },
        Self("oidcc-client-test-invalid-chash", .codeHash) { Self.codeHash(&$0, "PEaenWxYddN6Q_NT1PiOYQ") },
        Self("c_hash empty", .codeHash) { Self.codeHash(&$0, "") },
        Self("c_hash a number", .claimType) { Self.codeHash(&$0, 1) },
        Self("c_hash without a code", nil) { $0.claims["c_hash"] = "x" },
        Self("c_hash of another digest than that of ES384", .codeHash) {
            $0.sign(.es384, "p384")
            Self.codeHash(&$0, "VpTQii5T_8rgwxA-Wtb2Bw")
        },
        Self("at_hash right, by the digest of EdDSA", nil) {
            $0.sign(.edDSA, "ed25519")
            Self.hash(&$0, "ImXaughy_DrvFp0Hk2XlkPDLyO1GwqeYTIpkKAPP2Ww")
        },
    ]

    private static func ask(_ minted: inout Minted, acr: JSON?) {
        minted.rules.acrValues = ["urn:substantial", "urn:high"]
        minted.rules.acrMustMatch = true
        minted.claims["acr"] = acr
    }

    private static func hash(_ minted: inout Minted, _ hash: JSON) {
        minted.rules.accessToken = Secret("token")
        minted.claims["at_hash"] = hash
    }

    private static func hashOnly(_ minted: inout Minted, _ hash: JSON) throws {
        let response = try TokenResponse(Array(#"{"id_token":"a","access_token":"token"}"#.utf8))
        minted.rules.accessTokenHashes = try TokenResponse(response.stored(withAccessToken: false)).accessTokenHashes
        minted.claims["at_hash"] = hash
    }

    private static func codeHash(_ minted: inout Minted, _ hash: JSON) {
        minted.rules.code = Secret("code")
        minted.claims["c_hash"] = hash
    }
}
