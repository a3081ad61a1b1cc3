import Base
import HTTPWire

/// The page on which the user picks a test user, approves or cancels, and may choose a fault. It needs no script.
struct AuthorizePage: Sendable {
    let authRequest: SandboxAuthorizationRequest
    let eID: SandboxEID
    /// The name under which the request waits.
    let page: String
    /// The link by which the e-ID's app would return to ours.
    let eIDAppReturn: String?
    let menu: FaultMenu
    /// Whether the broker remembers this browser's user; nil if it remembers nobody.
    let remembers: Bool?

    var response: Response {
        PageResponse(
            title: self.heading.title, body: self.body, look: self.eID.rawValue,
            formTargets: ["'self'"] + self.formTargets
        ).response
    }

    /// A malformed response of Vipps goes to where its app returns.
    private var formTargets: [String] {
        let callback = self.authRequest.parameters["app_callback_uri"].flatMap(Origin.source)
        return self.authRequest.address.formTargets + [callback].compactMap(\.self)
    }

    private var body: Markup {
        """
        \(self.heading.markup)
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

    private var heading: EIDHeading { EIDHeading(eID: self.eID, client: self.authRequest.client) }

    private var eIDApp: Markup {
        guard let url = self.eIDAppReturn else { return "" }
        return "<p><a href=\"\(url)\">Return from the e-ID's app</a></p>"
    }

    private var form: DecisionForm {
        DecisionForm(
            action: ProviderRoute.decision.rawValue, hidden: [Parameter("login", self.page)], menu: self.menu,
            eID: self.eID, person: self.authRequest.loginHint.flatMap(SandboxIdentity.named), remembers: self.remembers)
    }

    private var facts: [Markup] {
        let facts = [
            ("Scope", self.authRequest.scope.joined(separator: " ")),
            ("Prompt", self.authRequest.prompt.joined(separator: " ")),
            ("Maximum authentication age", self.authRequest.maxAge.map { "\($0) seconds" } ?? ""),
            ("Assurance", self.authRequest.contextClasses.joined(separator: " ")),
            ("Languages", self.authRequest.locales.joined(separator: " ")),
            ("Response mode", self.authRequest.address.mode.rawValue),
            ("Redirect URI", self.authRequest.address.redirectURI),
        ]
        return facts.filter { !$0.1.isEmpty }.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>\n" }
    }
}
