/// What an app does with the link that opened it: it is one of the login's, or it is not ours.
import Brokers
import JOSE

extension LoginFlow {
    /// The app is in front again, perhaps with a link that opened it. A broker's answer in it is taken as if a browser
    /// had brought it, if it belongs to this login; what belongs to another one changes nothing anywhere.
    package func comeBack(_ id: LoginID, secret: PollSecret, link: ReturnLink?) async throws(Refusal) -> LoginView {
        let view = try await self.view(id, secret: secret)
        guard let link else { return view }
        if let broker = self.broker(of: view), let redirectURI = broker.appRedirectURI,
            identical(link.location, redirectURI)
        {
            try await self.takeCallback(of: id, from: broker, link)
            return try await self.view(id, secret: secret)
        }
        let own = self.settings.apps[view.app]?.returnPrefixes ?? []
        guard own.contains(where: { link.text.utf8.starts(with: $0.utf8) }) else { throw .notOurs }
        return view
    }

    private func takeCallback(of id: LoginID, from broker: Broker, _ link: ReturnLink) async throws(Refusal) {
        guard let parameters = link.parameters, let state = self.state(in: parameters, of: broker),
            state.token.login == id
        else { throw .notOurs }
        switch await self.takeCallback(state, parameters, of: broker) {
        case .page: return
        // Another answer was taken before, or the opening is not one of the last three: see how it stands.
        case .neutral: return
        case .unavailable: throw .storeUnavailable
        }
    }

    /// How links begin that open the app for this login: its own, and the redirect URI if that is a link to the app.
    func returnPrefixes(of login: Login) -> [String] {
        let own = self.settings.apps[login.app]?.returnPrefixes ?? []
        guard let redirectURI = self.brokers[login.broker]?.appRedirectURI else { return own }
        return [redirectURI] + own
    }

    private func broker(of view: LoginView) -> Broker? {
        self.providers[view.provider].flatMap { self.brokers[$0.brokerID] }
    }
}
