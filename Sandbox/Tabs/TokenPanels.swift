/// The tabs about tokens: what the broker says of the user, what the app's API believes, and what a session shows.
struct TokenPanels: Sendable {
    let calls: [RecordedCall]
    let login: TabbedLogin?
    let issuer: String
    /// Why the login failed, if the server refused what the broker sent.
    var failedCheck: FailedCheck?

    var idToken: BenchPanel {
        let token = self.calls.last { $0.login == self.login?.id && $0.idToken != nil }?.idToken
        let none: Markup = """
            <p><strong>There is none yet.</strong> It comes when the server exchanges the code. DigiD has none, \
            and only the server can read one that the broker encrypts.</p>
            """
        return BenchPanel(
            "id-token", "ID token", of: self.login,
            """
            <p>The broker’s word about the user. Only the server gets it; app and browser never see it. The server \
            checks its signature, <code>iss</code>, <code>aud</code>, <code>exp</code>, <code>iat</code>, <code>nonce</code>, \
            <code>acr</code> and more, and the login fails if one of them is wrong. National ids are cut here.</p>
            \(IDTokenChecks(failedCheck: self.failedCheck, status: self.login?.status, token: token).markup)
            \(token.map(BenchPanel.shown) ?? none)
            """)
    }

    var assertion: BenchPanel {
        let none: Markup = "<p><strong>There is none yet.</strong> It comes with the result of a completed login.</p>"
        return BenchPanel(
            "assertion", "Assertion", of: self.login,
            """
            <p>The server’s own word, for your API. The app gets it with the result and hands it to the API, which \
            believes it and nothing else. It lives for five minutes, and each response to the app has a fresh one.</p>
            \(self.verified ?? none)
            """)
    }

    private var verified: Markup? {
        guard let login, let assertion = login.assertion, let token = ReadToken(assertion),
            let audience = token.claims["aud"]?.string
        else { return nil }
        let code = VerifyingCode(issuer: self.issuer, audience: audience, provider: login.provider)
        return """
            \(BenchPanel.shown(token))
            <h3>Verify it</h3>
            <p>Run this while the assertion lives: it prints the account. For a login without a proof \
            (<code>"proof": "none"</code>) it stops, as your API should.</p>
            <pre class="code">\(code.text(verifying: assertion, nonce: login.nonce))</pre>
            <p><button type="button" data-copy hidden>Copy the code</button></p>
            <p>Your own API (docs/how-to/your-own-api.md) gives the reason for each line, and <code>Examples</code> has \
            whole backends in Python, Node, Go and Java.</p>
            """
    }

    var session: BenchPanel {
        let token = self.calls.last { $0.accessToken != nil }?.accessToken
        let none: Markup = """
            <p><strong>There is none yet.</strong> Choose the app <em>Sandbox bank</em>, log in, and begin a session.</p>
            """
        let newestToken: Markup = """
            <p>This is your newest access token. An API believes it only together with a proof of the key that \
            <code>cnf.jkt</code> names (DPoP, RFC 9449).</p>
            <p><a href="/session">The session on this phone</a></p>
            """
        return BenchPanel(
            "session", "Session", of: nil,
            """
            <p>After a login, an app may keep a session: short access tokens for its API, bound to a key of the phone, \
            and a PIN that unlocks it.</p>
            \(token.map { "\(newestToken)\(BenchPanel.shown($0))" as Markup } ?? none)
            """)
    }
}
