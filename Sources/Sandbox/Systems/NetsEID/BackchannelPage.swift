/// What the user sees in the browser of CIBA with a browser.
import Base
import HTTPWire

struct BackchannelPage: Sendable {
    let client: SandboxClient
    let authRequest: BackchannelRequest
    let reference: String
    let menu: FaultMenu

    var response: Response {
        PageResponse(title: "Sandbox login", body: self.body, formTargets: self.formTargets).response
    }

    private var formTargets: [String] {
        ["'self'"] + [self.authRequest.redirectURI.flatMap(Origin.source)].compactMap(\.self)
            + self.client.onwardOrigins
    }

    private var body: Markup {
        let form = DecisionForm(
            action: NetsEIDRoute.authenticate.rawValue, hidden: [Parameter("request_uri", self.reference)],
            menu: self.menu,
            more: [(.timeOut, "Let the time run out")])
        let back: Markup =
            self.authRequest.appSwitchURL.map { "<p><a href=\"\($0)\">Return from the e-ID's app</a></p>" } ?? ""
        return """
            <p class="badge">Sandbox</p>
            <h1>Who are you today?</h1>
            <p><strong>\(self.client.clientID)</strong> asks you to log in. All users here are fictional.</p>
            \(form.markup)
            \(back)
            """
    }
}
