/// The text that a sandbox prints when it has started: where to click, and one login to do by hand with curl and a
/// browser.
import Sandbox
import Switchback

struct SandboxTour {
    private let plan: SandboxPlan
    private let server: SwitchbackServer

    init(_ plan: SandboxPlan, _ server: SwitchbackServer) {
        self.plan = plan
        self.server = server
    }

    /// The text contains a real login, which has just been started.
    var text: String {
        get async {
            guard let login = await self.server.startLogin(app: "kiosk", provider: SandboxFlow.sandbox.rawValue) else {
                return "The sandbox runs at \(self.plan.publicURL), but it could not start a login. See the log.\n"
            }
            let url = self.plan.publicURL
            return """

                Switchback's sandbox runs at \(url). This page is a phone with an app and a button for every e-ID:

                   \(self.plan.linkURL)/

                Or do one login by hand, step by step:

                1. The app creates a login (this one was just created for you):

                   curl -s \(url)/v1/logins -H 'Content-Type: application/json' -d '{"provider": "sandbox", "app": "kiosk"}'

                2. The response says what to do next. Open this in a browser, choose a test user and approve:

                   \(login.url)

                3. Meanwhile the app waits. This request gets its response once you have approved:

                   curl -s \(url)/v1/logins/\(login.id) -H 'Authorization: Bearer \(login.secret)' -H 'Prefer: wait=25'

                4. The app has stored the result, so it deletes the login:

                   curl -si -X DELETE \(url)/v1/logins/\(login.id) -H 'Authorization: Bearer \(login.secret)'

                Providers: \(url)/v1/providers    The complete API: \(url)/openapi.yaml
                Metrics: http://\(self.plan.address(2))/metrics
                Brokers: \(SandboxSystem.allCases.map(self.plan.origin).joined(separator: "  "))
                Ctrl-C stops it.

                """
        }
    }
}
