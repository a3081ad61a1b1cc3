/// What a sandbox says when it has started: one login, to be walked with curl and a browser.
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
            guard let login = await self.server.startLogin(app: "demo", provider: SandboxFlow.sandbox.rawValue) else {
                return "The sandbox runs at \(self.plan.publicURL), but no login could be started. See the log.\n"
            }
            let url = self.plan.publicURL
            return """

                Switchback's sandbox runs at \(url). One login, step by step:

                1. The app asks for a login (this one has just been started for you):

                   curl -s \(url)/v1/logins -H 'Content-Type: application/json' -d '{"provider": "sandbox"}'

                2. Its answer says what to do next. Open this in a browser, choose a person, approve:

                   \(login.url)

                3. Meanwhile the app waits; this answers as soon as you have approved:

                   curl -s \(url)/v1/logins/\(login.id) -H 'Authorization: Bearer \(login.secret)' -H 'Prefer: wait=25'

                4. When the result is safe, the app says so, and it is wiped:

                   curl -si -X DELETE \(url)/v1/logins/\(login.id) -H 'Authorization: Bearer \(login.secret)'

                Buttons: \(url)/v1/providers      The whole API: \(url)/openapi.yaml
                The provider: \(self.plan.issuer)      Metrics: http://\(self.plan.address(2))/metrics
                Ctrl-C ends it.


                """
        }
    }
}
