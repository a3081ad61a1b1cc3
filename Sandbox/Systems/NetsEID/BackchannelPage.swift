import Base
import HTTPWire

/// What the user sees in the browser of CIBA with a browser.
struct BackchannelPage: Sendable {
    let client: SandboxClient
    let authRequest: BackchannelRequest
    let reference: String
    let menu: FaultMenu
    let eID: SandboxEID

    var response: Response {
        PageResponse(
            title: self.heading.title, body: self.body, look: self.eID.rawValue, formTargets: self.formTargets
        ).response
    }

    private var heading: EIDHeading { EIDHeading(eID: self.eID, client: self.client) }

    private var formTargets: [String] {
        ["'self'"] + [self.authRequest.redirectURI.flatMap(Origin.source)].compactMap(\.self)
            + self.client.onwardOrigins
    }

    private var body: Markup {
        let form = DecisionForm(
            action: NetsEIDRoute.authenticate.rawValue, hidden: [Parameter("request_uri", self.reference)],
            menu: self.menu, eID: self.eID,
            more: [(.timeOut, "Let the time run out")])
        let back: Markup =
            self.authRequest.appSwitchURL.map { "<p><a href=\"\($0)\">Return from the e-ID's app</a></p>" } ?? ""
        return """
            \(self.heading.markup)
            \(form.markup)
            \(back)
            """
    }
}
