import Base
import HTTPWire

/// What the user sees in BankID's app.
struct BankIDPage: Sendable {
    let client: SandboxClient
    let token: String
    /// Where the app returns to when it is done, as in the link that opened it.
    private let redirect: String?

    init(client: SandboxClient, token: String, redirect: String?) {
        self.client = client
        self.token = token
        // `null` means that the phone returns automatically.
        self.redirect = redirect.flatMap { $0 != "null" && Origin.source(of: $0) != nil ? $0 : nil }
    }

    func response(_ menu: FaultMenu, isSigning: Bool) -> Response {
        var form = DecisionForm(
            action: IduraRoute.bankIDApp.rawValue,
            hidden: [Parameter("autostarttoken", self.token), Parameter("redirect", self.redirect ?? "null")],
            menu: menu, eID: .swedishBankID)
        form.more = [(.timeOut, "Let the time run out")]
        if !isSigning { form.more.insert((.sign, "Start to type the security code"), at: 0) }
        let heading = EIDHeading(eID: .swedishBankID, client: self.client)
        let body: Markup = """
            \(heading.markup)
            \(form.markup)
            """
        return PageResponse(
            title: heading.title, body: body, look: SandboxEID.swedishBankID.rawValue, formTargets: ["'self'"]
        ).response
    }

    /// The page after the app has done its part.
    var last: FinalPage {
        guard let redirect else {
            return FinalPage(title: "Done", text: "The link has no URL to return to. Switch to your app yourself.")
        }
        return FinalPage(
            title: "Done", text: "On a phone, BankID would open your app now.", link: (redirect, "Back to the app"))
    }
}
