/// Openings: each is an authorize request of its own, with its own secrets.
import Brokers
import JOSE
import OpenIDConnect

extension LoginFlow {
    /// An opening, and what it leads to.
    struct Made {
        let opening: Opening
        let departure: Departure
        /// Nil where it would prove nothing.
        var cookie: OpeningCookie?
    }

    /// A new opening and where it leads. Nothing is stored yet.
    func makeOpening(
        of login: Login, languages: [String], address: String? = nil, _ key: ServerKey, keepsTarget: Bool = false
    ) async throws(BrokerFailure) -> Made {
        let rules = self.book.rules(of: login)
        guard let provider = rules.providers[login.provider]?.provider, let broker = rules.brokers[login.broker] else {
            throw BrokerFailure(.unavailable, "provider is not configured any more")
        }
        let id = RandomBytes.make(Opening.idByteCount)
        let state = StateToken(login: login.id, opening: id).text(for: login.broker, under: key)
        let challenge = Challenge.make(state: state)
        let seal = FlightSeal(login.id, under: key)
        let wishes = seal.open(.request, of: [], login.request).flatMap { try? AppWishes($0) }
        var visit = self.visit(of: login, wishes, languages: languages)
        visit.address = address
        // The URL of `authorize: direct` goes to the app, with all that is in it: no cookie could tell who opens it.
        let canProve = !keepsTarget && login.release == .returnLink && !visit.redirectsToApp
        if canProve, let link = visit.returnURL {
            let proof = SwitchProof.text(login.id, opening: id, under: key)
            visit.switchURL = "\(link)\(link.contains("?") ? "&" : "?")login=\(login.id)&switch=\(proof)"
        }
        let departure = try await broker.depart(for: provider, challenge, visit)
        let flight = Flight(challenge, departure, keepsTarget: keepsTarget)
        let sealed = seal.seal(.challenge, of: id, flight.bytes)
        return Made(
            opening: Opening(
                id: id, openedAt: self.now(), flight: sealed,
                walkedUntil: departure.trip.map { _ in self.now() + Login.lease }), departure: departure,
            cookie: canProve ? OpeningCookie(login.id, opening: id, under: key) : nil)
    }

    /// Waiting does not help where the broker has said no; a login that somebody may still finish is left alone.
    func refuse(_ id: LoginID, _ failure: BrokerFailure) async throws(Refusal) -> OpenAnswer {
        let changed = try await self.change(id) { login, _ in login.refuse(failure.reason, at: self.now()) }
        guard let changed else { return .page(PageView(.neutral)) }
        guard changed.login.state != .pending else { return .page(self.page(.unavailable, of: changed.login)) }
        return .page(self.page(of: changed.login))
    }

    private func visit(of login: Login, _ wishes: AppWishes?, languages: [String]) -> Visit {
        var visit = Visit()
        visit.platform = login.platform.flatMap(Visit.Platform.init)
        visit.system = wishes?.system
        let rules = self.book.rules(of: login)
        visit.redirectsToApp = rules.brokers[login.broker]?.appRedirectURI != nil
        visit.switchesApps = wishes?.switchesApps ?? true
        visit.languages = login.locale.map { [$0] } ?? languages
        // `check` lets http through only for loopback and for a sandbox.
        visit.returnURL = rules.settings.apps[login.app]?.returnPrefixes.first { prefix in
            prefix.hasPrefix("https://") || prefix.hasPrefix("http://")
        }
        visit.parameters = wishes?.parameters ?? []
        return visit
    }

    func flight(of opening: [UInt8], _ sealed: [UInt8], _ id: LoginID, _ key: ServerKey) -> Flight? {
        FlightSeal(id, under: key).open(.challenge, of: opening, sealed).flatMap { try? Flight($0) }
    }

    func keep(_ made: Made, of id: LoginID) async throws(Refusal) -> OpenAnswer {
        let changed = try await self.change(id) { login, _ in login.open(made.opening, at: self.now()) }
        guard let changed else { return .page(PageView(.neutral)) }
        switch (changed.action, made.departure.target) {
        case (.send, .browser(let url)):
            self.pending.open(id)
            self.observe(LoginEvent(.opened, changed.login))
            self.follow(made, of: changed.login)
            return .redirect(to: url, made.cookie)
        case (.send, .app), (.show, _):
            return .page(self.page(of: changed.login))
        }
    }
}
