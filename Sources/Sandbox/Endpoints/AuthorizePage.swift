/// The page on which the user picks a test user, approves or cancels, and may choose a fault. It needs no script.
import Base
import HTTPWire

struct AuthorizePage: Sendable {
    let ask: AuthorizationAsk
    /// The name under which the request waits.
    let page: String
    /// The link by which the e-ID's app would return to ours.
    let eIDAppReturn: String?
    let menu: FaultMenu

    var response: Response {
        PageResponse(
            title: "Sandbox login", body: self.body, formTargets: ["'self'"] + self.formTargets
        ).response
    }

    /// A malformed response of Vipps goes to where its app returns.
    private var formTargets: [String] {
        let callback = self.ask.parameters["app_callback_uri"].flatMap(Origin.source)
        return self.ask.address.formTargets + [callback].compactMap(\.self)
    }

    private var body: Markup {
        """
        <p class="badge">Sandbox</p>
        <h1>Who are you today?</h1>
        <p><strong>\(self.ask.client.clientID)</strong> asks you to log in. All users here are fictional.</p>
        \(self.form.markup)
        \(self.eIDApp)
        <details>
        <summary>Request details</summary>
        <dl>
        \(self.facts)
        </dl>
        </details>
        """
    }

    private var eIDApp: Markup {
        guard let url = self.eIDAppReturn else { return "" }
        return "<p><a href=\"\(url)\">Return from the e-ID's app</a></p>"
    }

    private var form: DecisionForm {
        DecisionForm(
            action: ProviderRoute.decision.rawValue, hidden: [Parameter("login", self.page)], menu: self.menu,
            person: self.ask.loginHint.flatMap(SandboxIdentity.named))
    }

    private var facts: [Markup] {
        let facts = [
            ("Scope", self.ask.scope.joined(separator: " ")),
            ("Prompt", self.ask.prompt.joined(separator: " ")),
            ("Maximum authentication age", self.ask.maxAge.map { "\($0) seconds" } ?? ""),
            ("Assurance", self.ask.contextClasses.joined(separator: " ")),
            ("Languages", self.ask.locales.joined(separator: " ")),
            ("Response mode", self.ask.address.mode.rawValue),
            ("Redirect URI", self.ask.address.redirectURI),
        ]
        return facts.filter { !$0.1.isEmpty }.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>\n" }
    }
}
