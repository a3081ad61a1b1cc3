/// The app's first page: a button for each provider, and the kind of phone.
import HTTPWire

struct PhoneButtonsPage: Sendable {
    let apps: [SandboxPhone.App]
    /// Each with the names of the apps that have it.
    let providers: [(id: String, name: String, apps: [String])]

    var response: Response {
        let apps = self.apps.map { app -> Markup in "<option value=\"\(app.id)\">\(app.name)</option>\n" }
        let buttons = self.providers.map { provider -> Markup in
            let isForAll = provider.apps.count == self.apps.count
            let name = isForAll ? provider.name : "\(provider.name) (only \(provider.apps.joined(separator: ", ")))"
            return "<button name=\"provider\" value=\"\(provider.id)\">\(name)</button>\n"
        }
        let body: Markup = """
            <p class="badge">Sandbox</p>
            <h1>An app on a phone</h1>
            <p>Press a button, and do what the page says next. It calls the server as your app would.</p>
            \(self.hasSessions ? Self.session : "" as Markup)
            <form method="post" action="/login">
            <input type="hidden" name="jkt" value="">
            <label for="app">App</label>
            <select id="app" name="app">
            \(apps)</select>
            <label for="platform">Phone</label>
            <select id="platform" name="platform">
            <option value="ios">iPhone</option>
            <option value="android">Android</option>
            </select>
            <label for="eid_app">The e-ID's app</label>
            <select id="eid_app" name="eid_app">
            <option value="yes">is installed</option>
            <option value="no">is not installed</option>
            </select>
            <div class="buttons">
            \(buttons)</div>
            </form>
            \(self.hasSessions ? "<script src=\"\(PhoneScript.path)\"></script>" : "" as Markup)
            """
        return PageResponse(
            title: "An app on a phone", body: body, formTargets: ["'self'"], hasOwnScript: self.hasSessions
        ).response
    }

    private var hasSessions: Bool { self.apps.contains(where: \.hasSessions) }

    private static let session: Markup = """
        <p id="no-script">An app with sessions needs JavaScript, because the session's key is in the browser.</p>
        <p id="known" hidden><a class="button" href="/session">The session on this phone</a></p>
        """
}
