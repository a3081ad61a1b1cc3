/// The rules for what an app's own API is told.
import Logins

extension ConfigurationRules {
    /// The types of other tokens. An assertion that had one of these would pass for such a token where that is believed
    /// (RFC 8725 §2.8): an access token, a request object, a proof.
    private static let foreignTypes: Set<String> = [
        "at+jwt", "oauth-authz-req+jwt", "dpop+jwt", "logout+jwt", "secevent+jwt", "token-introspection+jwt",
        "client-authentication+jwt", "entity-statement+jwt", "kb+jwt", "statuslist+jwt", "wit+jwt", "wpt+jwt",
    ]

    mutating func checkAssertions(of app: SettingScope) {
        guard let type = app.text("assertion_typ") else { return }
        if Self.foreignTypes.contains(type.lowercased()) {
            self.report(
                app, "assertion_typ", "must not be \(type), which another kind of token has. Take JWT or login+jwt")
        } else if !Self.isType(type) {
            self.report(
                app, "assertion_typ",
                "must be JWT, or a type of your own that ends in +jwt, as in login+jwt, not \"\(type)\"")
        }
        self.checkUse(of: app)
    }

    /// Without a key nothing is signed, and a setting about it would mislead.
    private mutating func checkUse(of app: SettingScope) {
        guard self.settings.scopes("keys.assertion").isEmpty else { return }
        if let type = app.text("assertion_typ"), type != AssertionTerms.usualType {
            self.report(app, "assertion_typ", "means nothing without a key in keys.assertion, which signs assertions")
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
