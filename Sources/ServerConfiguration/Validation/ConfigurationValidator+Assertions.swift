// The rules for the assertions of apps.

import Logins

extension ConfigurationValidator {
    /// The types of other tokens, such as access tokens, request objects and proofs. An assertion with such a type
    /// could pass as one of these tokens (RFC 8725 §2.8).
    private static let foreignTypes: Set<String> = [
        "at+jwt", "oauth-authz-req+jwt", "dpop+jwt", "logout+jwt", "secevent+jwt", "token-introspection+jwt",
        "client-authentication+jwt", "entity-statement+jwt", "kb+jwt", "statuslist+jwt", "wit+jwt", "wpt+jwt",
    ]

    mutating func checkAssertions(of app: SettingScope) {
        self.checkType(of: app)
        self.checkUse(of: app)
        let claims = app.list("assertion_claims") ?? []
        let providers = self.settings.scopes("providers").filter { self.release(of: $0, in: app) != nil }
        if app.text("assertion_key") != nil {
            self.checkPhone(of: app, providers)
        } else if claims.contains(AssertionClaim.nationalID.rawValue) {
            self.warn(
                app, "assertion_claims",
                "puts the national id into assertions, which the phone and every log of them can read. Set assertion_key, so that only the app's own API can read it"
            )
        }
        if claims.contains(AssertionClaim.nationalID.rawValue),
            !providers.contains(where: { $0.text("national_id_claim") != nil })
        {
            self.warn(
                app, "assertion_claims",
                "names national_id, but no provider of the app has one. Set national_id_claim of a provider, or remove it"
            )
        }
    }

    private mutating func checkType(of app: SettingScope) {
        guard let type = app.text("assertion_typ") else { return }
        if Self.foreignTypes.contains(type.lowercased()) {
            self.report(
                app, "assertion_typ", "must not be \(type), which is the type of another token. Use JWT or login+jwt")
        } else if !Self.isType(type) {
            self.report(
                app, "assertion_typ",
                "must be JWT, or a type of your own that ends in +jwt, as in login+jwt, not \"\(type)\"")
        }
    }

    /// Without a key we sign nothing, and these settings would mislead.
    private mutating func checkUse(of app: SettingScope) {
        guard self.settings.server.keys.assertion.isEmpty else { return }
        let isUsed = [
            ("assertion_typ", app.text("assertion_typ").map { $0 != AssertionTerms.usualType } ?? false),
            ("assertion_claims", app.list("assertion_claims")?.isEmpty == false),
            ("assertion_key", app.text("assertion_key") != nil),
        ]
        for (name, isUsed) in isUsed where isUsed {
            self.report(app, name, "has no effect without a key in keys.assertion, which signs assertions")
        }
    }

    /// Checks what the phone would still see, or would no longer see.
    private mutating func checkPhone(of app: SettingScope, _ providers: [SettingScope]) {
        for provider in providers {
            let broker = self.broker(of: provider)
            let isDigiD = broker?.brokerKind == .digid
            let subject = isDigiD ? broker?.text("subject_claim") : "sub"
            if let claim = provider.text("national_id_claim"), claim == subject {
                self.report(
                    app, "assertion_key",
                    "keeps national ids from the phone, but that of \(provider.path) is in \(claim), which is the identity's subject. Use another claim as the subject, or remove \(provider.name) from the app's providers"
                )
            }
            if isDigiD {
                self.warn(
                    app, "assertion_key",
                    "keeps registration from the phone, because it may contain a national id, and \(provider.path) has one. Only the app's backend gets it, with api_key"
                )
            }
        }
    }

    /// The subtype of a media type (RFC 7515 §4.1.9, RFC 6838 §4.2). `JWT` alone is written in capitals (RFC 7519 §5.1).
    private static func isType(_ text: String) -> Bool {
        guard text != "JWT" else { return true }
        let isName = text.utf8.allSatisfy { byte in
            SettingKind.isDigit(byte) || SettingKind.isLower(byte | 0x20) || "!#$&-^_.+".utf8.contains(byte)
        }
        return isName && text.hasSuffix("+jwt") && 5...127 ~= text.utf8.count
    }
}
