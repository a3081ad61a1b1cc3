/// What an app does with the link that opened it: it is one of the login's, or it is not ours.
import Base
import Brokers

extension LoginFlow {
    /// The app is in front again, perhaps with a link that opened it. A broker's answer in it is taken as if a browser
    /// had brought it, if it belongs to this login; what belongs to another one changes nothing anywhere.
    package func comeBack(
        _ id: LoginID, secret: PollSecret, link: ReturnLink?, by caller: Caller = Caller()
    ) async throws(Refusal) -> LoginView {
        let view = try await self.take(link, of: id, secret, by: caller)
        self.observe(LoginEvent(.returned(link == nil ? .withoutLink : .link), view))
        return try await self.renewed(view, secret, by: caller)
    }

    private func take(
        _ link: ReturnLink?, of id: LoginID, _ secret: PollSecret, by caller: Caller
    ) async throws(Refusal) -> LoginView {
        let view = try await self.view(id, secret: secret)
        guard let link else { return try await self.noteReturn(id, secret, view, isBrowserGone: true) }
        let rules = self.book.rules(at: view.createdAt)
        let own = rules.settings.apps[view.app]?.returnPrefixes ?? []
        let isOwn = own.contains { link.text.utf8.starts(with: $0.utf8) }
        let broker = rules.providers[view.provider].flatMap { rules.brokers[$0.provider.brokerID] }
        if let broker, let parameters = link.parameters.map(broker.received) {
            let isCallback = broker.appRedirectURI.map { identical(link.location, $0) } ?? false
            if isCallback || isOwn, let url = broker.resumeURL(in: parameters) {
                return try await self.resume(id, secret, at: url, by: parameters, of: broker)
            }
            // An error that names no login ends none: anybody can make a link that opens the app.
            let hasError = parameters.contains { $0.name == "error" }
            if isCallback || isOwn, hasError, broker.answersWithoutState,
                !parameters.contains(where: { $0.name == "state" })
            {
                return try await self.noteReturn(id, secret, view, isBrowserGone: true)
            }
            // A code is taken only where the broker was told to send it; an error, from any of the app's links.
            if isCallback || (isOwn && parameters.contains { $0.name == "error" }) {
                try caller.spend(.exchange)
                try await self.takeCallback(of: id, from: broker, parameters)
                try await self.prove(id, secret, .callback)
                return try await self.view(id, secret: secret)
            }
        }
        guard isOwn else { throw .notOurs }
        guard let shown = try Self.proof(in: link, of: id) else {
            return try await self.noteReturn(id, secret, view, isBrowserGone: false)
        }
        try await self.prove(id, secret, shown)
        return try await self.view(id, secret: secret)
    }

    /// The person has typed the code of the page.
    package func comeBack(_ id: LoginID, secret: PollSecret, code: String) async throws(Refusal) -> LoginView {
        _ = try await self.view(id, secret: secret)
        try await self.prove(id, secret, .code(code))
        return try await self.view(id, secret: secret)
    }

    /// The e-ID's app has sent our app back: now the browser has to go on, from where only the broker knows.
    private func resume(
        _ id: LoginID, _ secret: PollSecret, at url: String, by parameters: [(name: String, value: String)],
        of broker: any Broker
    ) async throws(Refusal) -> LoginView {
        guard let state = self.state(in: parameters, of: broker), state.token.login == id else { throw .notOurs }
        _ = try await self.change(id) { login, key in
            let sealed = FlightSeal(id, under: key).seal(.resume, of: [], Array(url.utf8))
            login.resume(at: sealed, opening: state.token.opening)
        }
        try await self.prove(id, secret, .switched(opening: state.token.opening))
        return try await self.view(id, secret: secret)
    }

    private func takeCallback(
        of id: LoginID, from broker: any Broker, _ parameters: [(name: String, value: String)]
    ) async throws(Refusal) {
        let (state, parameters) = try await self.stated(parameters, of: id, from: broker)
        switch await self.takeCallback(state, parameters, of: broker, byApp: true) {
        case .back: return
        // Another answer was taken before, or another opening may still be answered: see how it stands.
        case .neutral, .elsewhere, .continued: return
        case .unavailable: throw .storeUnavailable
        }
    }

    /// The `state` of an answer, which must be this login's. Where a broker may leave it out, it is the newest opening's.
    private func stated(
        _ parameters: Broker.Parameters, of id: LoginID, from broker: any Broker
    ) async throws(Refusal) -> (ReceivedState, Broker.Parameters) {
        if let state = self.state(in: parameters, of: broker) {
            guard state.token.login == id else { throw .notOurs }
            return (state, parameters)
        }
        guard broker.answersWithoutState, !parameters.contains(where: { $0.name == "state" }),
            let found = try await self.change(id, { _, _ in }),
            let opening = found.login.openings.last?.id ?? found.login.taken?.opening
        else { throw .notOurs }
        let token = StateToken(login: id, opening: opening)
        let text = token.text(for: broker.id, under: found.key)
        return (ReceivedState(text: text, token: token), parameters + [("state", text)])
    }

    /// The person is back, without an answer. A broker that tells it only when asked is asked now. A link without a proof
    /// says nothing of the browser: it waits behind the app.
    private func noteReturn(
        _ id: LoginID, _ secret: PollSecret, _ view: LoginView, isBrowserGone: Bool
    ) async throws(Refusal) -> LoginView {
        let known = self.book.rules(at: view.createdAt).providers[view.provider]
        let opensApp = known?.provider.opensApp == true
        guard opensApp || isBrowserGone else { return view }
        _ = try await self.change(id) { login, _ in
            if opensApp { login.comeBack() } else { login.loseBrowser() }
        }
        return try await self.view(id, secret: secret)
    }

    /// The proof in one of our own links; nil when there is none. One for another login is not ours.
    private static func proof(in link: ReturnLink, of id: LoginID) throws(Refusal) -> Claim? {
        func values(_ name: String) -> [String] {
            (link.parameters ?? []).filter { $0.name == name }.map(\.value)
        }
        let (logins, proofs, switches) = (values("login"), values("proof"), values("switch"))
        guard !(logins + proofs + switches).isEmpty else { return nil }
        guard logins == [id.description], proofs.count + switches.count <= 1 else { throw .notOurs }
        return proofs.first.map { .link($0) } ?? switches.first.map { .switchLink($0) }
    }
}

// MARK: - Links to the app

extension LoginFlow {
    /// How links begin that open the app for this login: its own, and the redirect URI if that is a link to the app.
    func returnPrefixes(of login: Login, _ rules: LoginRules, _ app: App?) -> [String] {
        let own = app?.returnPrefixes ?? []
        guard let redirectURI = rules.brokers[login.broker]?.appRedirectURI else { return own }
        return [redirectURI] + own
    }

    /// The link back to the app, with the login's name and, with a key, the proof. Nil where the app has no link.
    func returnURL(of login: Login, _ key: ServerKey?) -> String? {
        guard let prefix = self.returnPrefix(of: login) else { return nil }
        guard let key, self.provesByLink(login), let proof = self.proof(of: login, key) else { return prefix }
        return "\(prefix)\(prefix.contains("?") ? "&" : "?")login=\(login.id)&proof=\(proof.link)"
    }

    /// Whether the link back carries the proof. Where it does not, the person types the code of the page.
    ///
    /// Any app can claim a custom scheme. An attacker who sends the link of his own login to a victim could have the proof
    /// sent to such an app, so it never goes over a scheme unless the operator has said so.
    func provesByLink(_ login: Login) -> Bool {
        guard login.release == .returnLink, let prefix = self.returnPrefix(of: login) else { return false }
        return Self.isWebLink(prefix) || self.provesOverScheme(login)
    }

    /// Whether the person has to type the code of the page, because no link back proves anything.
    func needsCode(_ login: Login) -> Bool {
        login.release == .code || (login.release == .returnLink && !self.provesByLink(login))
    }

    /// The session of an app that asked for its scheme ends at nothing else. In other browsers a link that can prove
    /// something is better.
    private func returnPrefix(of login: Login) -> String? {
        let own = self.book.rules(of: login).settings.apps[login.app]?.returnPrefixes ?? []
        let wantsScheme =
            login.callback == "scheme" && (self.provesOverScheme(login) || login.surface == "auth_session")
        let scheme = wantsScheme ? own.first { !Self.isWebLink($0) } : nil
        return scheme ?? own.first
    }

    private func provesOverScheme(_ login: Login) -> Bool {
        self.book.rules(of: login).settings.apps[login.app]?.provesOverScheme ?? false
    }

    /// `check` lets http through only for loopback and for a sandbox.
    private static func isWebLink(_ prefix: String) -> Bool {
        prefix.hasPrefix("https://") || prefix.hasPrefix("http://")
    }
}
