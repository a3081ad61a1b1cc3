/// The rules for which providers an app has.
import Logins

extension ConfigurationRules {
    /// Nil where the app has no such button.
    func release(of provider: SettingScope, in app: SettingScope) -> Release? {
        Release.rule(
            of: app.appRelease, own: provider.release("release"),
            isNamed: app.list("providers")?.contains(provider.name))
    }

    /// The apps that have this button.
    func owners(of provider: SettingScope) -> [SettingScope] {
        self.settings.scopes("apps").filter { self.release(of: provider, in: $0) != nil }
    }

    /// At most one is meant by a request that names none.
    mutating func checkDefaultApp() {
        let marked = self.settings.scopes("apps").filter { $0.boolean("default") ?? false }
        for app in marked.dropFirst() {
            self.report(app, "default", "\(marked[0].name) is the default app already. Leave it out of one of them")
        }
    }

    mutating func checkProviders(of app: SettingScope) {
        let providers = self.settings.scopes("providers")
        for name in app.list("providers") ?? [] where !providers.contains(where: { $0.name == name }) {
            let nearest = Nearest.word(to: name, in: providers.map(\.name)).map { "; did you mean \($0)?" } ?? ""
            self.report(app, "providers", "there is no provider \"\(name)\"\(nearest)")
        }
        let releases = providers.compactMap { provider in self.release(of: provider, in: app).map { (provider, $0) } }
        if releases.isEmpty, !providers.isEmpty {
            let reason =
                app.list("providers") == nil ? "every provider asks for less proof than the app" : "it names none"
            self.report(app, "providers", "the app has no provider: \(reason). Name at least one")
        }
        for (provider, release) in releases where release.isWeaker(than: app.appRelease) {
            self.warn(
                app, "providers",
                "names \(provider.name), which asks for less proof than the app. The app's own API must look at proof and provider in the assertion before it believes one"
            )
        }
    }

    mutating func checkOwners(of provider: SettingScope) {
        guard !self.settings.scopes("apps").isEmpty, self.owners(of: provider).isEmpty else { return }
        self.warn(
            provider, "release", "no app has this provider. Name it in providers of an app that is to have it")
    }
}
