/// What a sandbox says when it has started: where to press buttons, and one login to be walked with curl and a browser.
import Sandbox
import Switchback

struct SandboxTour {
    private let plan: SandboxPlan
    private let server: SwitchbackServer

    init(_ plan: SandboxPlan, _ server: SwitchbackServer) {
        self.plan = plan
        self.server = server
    }

    /// The login in it is a real one, which has just been started.
    var text: String {
        get async {
            guard let login = await self.server.startLogin(app: "kiosk", provider: SandboxFlow.sandbox.rawValue) else {
                return "The sandbox runs at \(self.plan.publicURL), but no login could be started. See the log.\n"
            }
            let url = self.plan.publicURL
            return """

                Switchback's sandbox runs at \(url). A phone with an app, and a button for every e-ID, is at

                   \(self.plan.linkURL)/

                Or one login by hand, step by step:

                1. The app asks for a login (this one has just been started for you):

                   curl -s \(url)/v1/logins -H 'Content-Type: application/json' -d '{"provider": "sandbox", "app": "kiosk"}'

                2. Its answer says what to do next. Open this in a browser, choose a person, approve:

                   \(login.url)

                3. Meanwhile the app waits; this answers as soon as you have approved:

                   curl -s \(url)/v1/logins/\(login.id) -H 'Authorization: Bearer \(login.secret)' -H 'Prefer: wait=25'

                4. When the result is safe, the app says so, and it is wiped:

                   curl -si -X DELETE \(url)/v1/logins/\(login.id) -H 'Authorization: Bearer \(login.secret)'

                Buttons: \(url)/v1/providers      The whole API: \(url)/openapi.yaml
                Metrics: http://\(self.plan.address(2))/metrics
                Brokers: \(SandboxSystem.allCases.map(self.plan.origin).joined(separator: "  "))
                Ctrl-C ends it.

                """
        }
    }
}
