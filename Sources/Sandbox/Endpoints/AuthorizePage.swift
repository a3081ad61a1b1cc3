/// The page on which a person picks who to be, approves or cancels, and may ask for a fault. It needs no script.
import Base
import HTTPWire

struct AuthorizePage: Sendable {
    let ask: AuthorizationAsk
    /// The name under which the request waits.
    let page: String
    /// The link by which the e-ID's app would come back to ours.
    let eIDAppReturn: String?
    let menu: FaultMenu

    var response: Response {
        PageResponse(
            title: "Sandbox login", body: self.body, formTargets: ["'self'"] + self.formTargets
        ).response
    }

    /// A broken answer of Vipps goes where its app comes back to.
    private var formTargets: [String] {
        let callback = self.ask.parameters["app_callback_uri"].flatMap(Origin.source)
        return self.ask.address.formTargets + [callback].compactMap(\.self)
    }

    private var body: Markup {
        """
        <p class="badge">Sandbox</p>
        <h1>Who are you today?</h1>
        <p><strong>\(self.ask.client.clientID)</strong> asks you to log in. Nobody here is real.</p>
        \(self.form.markup)
        \(self.eIDApp)
        <details>
        <summary>What was asked for</summary>
        <dl>
        \(self.facts)
        </dl>
        </details>
        """
    }

    private var eIDApp: Markup {
        guard let url = self.eIDAppReturn else { return "" }
        return "<p><a href=\"\(url)\">Come back from the e-ID's app</a></p>"
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
            ("Authenticated at most so long ago", self.ask.maxAge.map { "\($0) seconds" } ?? ""),
            ("Assurance", self.ask.contextClasses.joined(separator: " ")),
            ("Languages", self.ask.locales.joined(separator: " ")),
            ("Answer by", self.ask.address.mode.rawValue),
            ("Answer to", self.ask.address.redirectURI),
        ]
        return facts.filter { !$0.1.isEmpty }.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>\n" }
    }
}
