import HTTPWire

/// The app's first page: a button for each provider, and the kind of phone.
struct PhoneButtonsPage: Sendable {
    let tabs: BenchTabs
    let apps: [SandboxPhone.App]
    /// Each with the names of the apps that have it.
    let providers: [(id: String, name: String, apps: [String])]
    /// Nil if they cannot be switched here.
    var faults: (offered: [SandboxFault], standing: [PhoneFaults.Standing])?

    var response: Response {
        let apps = self.apps.map { app -> Markup in
            let name = app.note.map { "\(app.name): \($0)" } ?? app.name
            return "<option value=\"\(app.id)\">\(name)</option>\n"
        }
        let buttons = self.providers.enumerated().map { place, provider -> Markup in
            let note = self.limit(of: provider.apps).map { " <small>\($0)</small>" as Markup } ?? ""
            // The one that the text above says to press.
            let look: Markup = place == 0 ? " class=\"approve\"" : ""
            let apps = self.apps.filter { provider.apps.contains($0.name) }.map(\.id).joined(separator: " ")
            return """
                <button\(look) name="provider" value="\(provider.id)" data-apps="\(apps)">\(provider.name)\
                \(note)</button>

                """
        }
        let body: Markup = """
            <p class="badge">Sandbox</p>
            <h1>Try a login</h1>
            <p>This is a phone with an app. <strong>Press “\(self.providers.first?.name ?? "")”</strong>, open the \
            browser, approve there, and come back. Nothing here is real but the server.</p>
            \(self.hasSessions ? Self.session : "" as Markup)
            \(self.faults?.standing.map(self.standing) ?? [])
            <form method="post" action="/login">
            \(self.apps.first(where: \.hasSessions).map(self.key(of:)) ?? "")
            <label for="app">App</label>
            <select id="app" name="app">
            \(apps)</select>
            <div class="buttons">
            \(buttons)</div>
            \(PhoneChoices.markup)
            \(self.faultMenu)
            </form>
            """
        return PhonePage(title: "Try a login", phone: body, tabs: self.tabs, hasSessions: self.hasSessions)
            .response
    }

    /// Returns which apps have a provider, in few words. Nil if all have it.
    private func limit(of apps: [String]) -> String? {
        let others = self.apps.map(\.name).filter { !apps.contains($0) }
        guard !others.isEmpty else { return nil }
        return others.count < apps.count
            ? "not for \(others.joined(separator: ", "))" : "only for \(apps.joined(separator: ", "))"
    }

    /// The thumbprint of the phone's key, which the phone's script fills in. Only this app needs it.
    private func key(of app: SandboxPhone.App) -> Markup {
        "<input type=\"hidden\" name=\"jkt\" value=\"\" data-app=\"\(app.id)\">"
    }

    /// A fault that all visitors have, with its switch.
    private func standing(_ standing: PhoneFaults.Standing) -> Markup {
        let name = self.providers.first { $0.id == standing.provider }?.name ?? standing.provider
        return """
            <form method="post" action="/faults">
            <p>Everyone’s logins with <strong>\(name)</strong> have a fault: \(standing.fault.effect.place), \
            \(standing.fault.title).</p>
            <button name="provider" value="\(standing.provider)">Switch it off</button>
            </form>

            """
    }

    private var faultMenu: Markup {
        guard let faults else { return "" }
        return """
            <details>
            <summary>Simulate a fault before the e-ID’s page</summary>
            <label for="fault">Fault</label>
            <select id="fault" name="fault">
            <option value="" selected>None</option>
            \(FaultMenu.groups(of: faults.offered))
            </select>
            <p>Faults of the discovery document and of the keys stay for everyone until they are switched off here.</p>
            </details>
            """
    }

    private var hasSessions: Bool { self.apps.contains(where: \.hasSessions) }

    private static let session: Markup = """
        <p id="no-script">An app with sessions needs JavaScript, because the session's key is in the browser.</p>
        <p id="known" hidden><a class="button" href="/session">The session on this phone</a></p>
        """
}
