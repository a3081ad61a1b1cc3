// Turns a tombstone back into a login, with what the configuration knows of it.

import Base

extension Tombstone {
    /// Returns the login with what is left of it. If its app or its provider is no longer configured, it has neither.
    func login(
        _ id: LoginID, until: Timestamp, under key: ServerKey, _ configuration: LoginConfiguration
    ) -> Login {
        let pairs = configuration.settings.apps.lazy.flatMap { app in app.value.releases.keys.map { (app.key, $0) } }
        let (app, provider) = pairs.first { self.isOf($0, $1) } ?? ("", "")
        var login = Login(
            id: id, keyID: key.id, app: app, provider: provider,
            broker: configuration.providers[provider]?.provider.brokerID ?? "", platform: nil, locale: self.language,
            surface: self.isAuthSession ? .authSession : nil, callback: self.wantsScheme ? .scheme : nil,
            release: .immediate, createdAt: until, deadline: until, resultTTL: 0, pollVerifier: self.pollVerifier,
            bodyVerifier: [], request: [], wrappedKey: [])
        login.revision = SealedLogin.tombstoneRevision
        login.state = .gone(self.status, until: until)
        login.pageCode = self.pageCode
        return login
    }
}
