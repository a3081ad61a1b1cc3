import Base
import HTTPWire

/// What the user sees in DigiD's app.
struct DigiDPage: Sendable {
    let authRequest: DigiDSessionStore.AuthRequest
    let login: String
    let menu: FaultMenu

    var response: Response {
        let form = DecisionForm(
            action: DigiDRoute.app.rawValue, hidden: [Parameter("login", self.login)],
            menu: self.menu, eID: .digid)
        let heading = EIDHeading(eID: .digid, client: self.authRequest.client)
        let body: Markup = """
            \(heading.markup)
            \(form.markup)
            """
        let targets = ["'self'"] + [Origin.source(of: self.authRequest.returnURL)].compactMap(\.self)
        return PageResponse(
            title: heading.title, body: body, look: SandboxEID.digid.rawValue,
            formTargets: targets + self.authRequest.client.onwardOrigins
        ).response
    }
}
