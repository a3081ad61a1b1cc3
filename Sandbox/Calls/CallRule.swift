/// What a call is for, and the rule that it follows.
enum CallRule {
    private typealias Row = (method: String?, path: String, rule: String)

    /// The longest path that begins a call's path counts. A `*` stands for one segment.
    static func rule(of method: String, _ path: String, from: CallLane, to: CallLane) -> String {
        let rows = to == .switchback ? self.atSwitchback : to == .broker ? self.atBrokers : self.atApps
        let match = rows.first { row in
            (row.method == nil || row.method == method) && self.begins(path, with: row.path)
        }
        return match?.rule ?? (to == .broker && from == .browser ? "The e-ID’s own page" : "")
    }

    private static func begins(_ path: String, with pattern: String) -> Bool {
        let (parts, patternParts) = (path.split(separator: "/"), pattern.split(separator: "/"))
        return parts.count >= patternParts.count && zip(parts, patternParts).allSatisfy { $1 == "*" || $0 == $1 }
    }

    private static let atSwitchback: [Row] = [
        (
            "POST", "/v1/logins/*/return",
            "Rule 3: the app hands in the link that opened it, or the digits, or “no link”"
        ),
        ("POST", "/v1/logins/*/cancel", "Rule 5: only the user’s own word cancels"),
        ("DELETE", "/v1/logins/*", "Rule 4: the app has stored the result and acknowledges it"),
        ("GET", "/v1/logins/*", "Rule 4: the app polls; with Prefer: wait the answer is held (RFC 7240 §4.3)"),
        ("POST", "/v1/logins", "Rule 1: the app stores its poll_secret, then creates the login"),
        ("GET", "/v1/providers", "Which buttons the app may show"),
        ("POST", "/v1/sessions", "The login becomes a session, bound to the phone’s key (RFC 9449)"),
        (nil, "/v1/sessions", "A session of the app (RFC 9449)"),
        ("POST", "/oauth/token", "The session gets an access token (RFC 6749 §6, RFC 9449 §5)"),
        ("POST", "/oauth/revoke", "The session ends (RFC 7009)"),
        ("GET", "/go/*", "The browser starts: state, nonce and PKCE are made (RFC 7636 §4.1, RFC 9700 §2.1)"),
        (nil, "/callback/*", "The broker’s response: state first, then iss (RFC 6749 §4.1.2, RFC 9207 §2.4)"),
        ("GET", "/done/*", "The page after the login. Its URL has no code (RFC 9700 §4.2.4)"),
        (nil, "/return", "A link that opened the browser and not the app"),
    ]

    private static let atBrokers: [Row] = [
        (nil, "/.well-known/openid-configuration", "Discovery of the endpoints (OpenID Connect Discovery §4)"),
        (nil, "/jwks", "The broker’s keys (RFC 7517 §5)"),
        (nil, "/par", "A pushed authorization request (RFC 9126 §2)"),
        (nil, "/authorize", "The authorization request (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2)"),
        (nil, "/resume", "The browser in which the login began goes on after the e-ID’s app"),
        (nil, "/decision", "The user approves or cancels; the answer goes back with the browser"),
        (nil, "/token", "The code is exchanged, once, with the verifier (RFC 6749 §4.1.3, RFC 7636 §4.5)"),
        (nil, "/userinfo", "More about the user, with the access token (OpenID Connect Core §5.3)"),
        (nil, "/connect/ciba", "A backchannel login begins (CIBA Core §7)"),
        (nil, "/api/ciba", "The browser’s page of a backchannel login"),
        ("DELETE", "/api/v1/ciba/*", "The backchannel login is cancelled"),
        (nil, "/headless/authorize", "A BankID order begins without a browser"),
        (nil, "/bankid/complete", "The broker’s response, fetched by the server"),
        (nil, "/bankid/poll", "Has the user decided?"),
        (nil, "/bankid/cancel", "The order is cancelled"),
        (nil, "/bankid", "BankID’s app"),
        (nil, "/oauth/custom-registration/digid/init", "A DigiD registration begins at the resolver"),
        (nil, "/oauth/custom-registration/digid", "The resolver resolves the artifact (SAML Bindings §3.6)"),
        (nil, "/digid-app", "DigiD’s app (SAML Bindings §3.4)"),
        (nil, "/partner-app", "The app of a third party, which the resolver opens in place of DigiD’s"),
    ]

    private static let atApps: [Row] = [(nil, "/", "Rule 3: a link opens the app")]
}
