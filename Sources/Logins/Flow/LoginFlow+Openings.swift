/// Openings: each is an authorize request of its own, with its own secrets.
import Base
import Brokers
import OpenIDConnect

extension LoginFlow {
    /// An opening, and what it leads to.
    struct Made {
        let opening: Opening
        let departure: Departure
        /// For the browser that sets out. Nil for the URL of a create, which goes to the app: no cookie could tell who opens
        /// it. Nil too for a browser that shares the opening of another.
        var cookie: OpeningCookie?
    }

    /// A new opening and where it leads. Nothing is stored yet.
    func makeOpening(
        of login: Login, languages: [String], address: String? = nil, _ key: ServerKey, keepsTarget: Bool = false
    ) async throws(BrokerFailure) -> Made {
        let (provider, broker) = try self.asked(for: login)
        let id = RandomBytes.make(Opening.idByteCount)
        let challenge = Challenge.make(state: self.state(of: id, login, key))
        var visit = self.visit(of: login, key, languages: languages, switching: keepsTarget ? nil : id)
        visit.address = address
        let departure = try await broker.depart(for: provider, challenge, visit)
        let flight = Flight(challenge, departure, keepsTarget: keepsTarget)
        let sealed = FlightSeal(login.id, under: key).seal(.challenge, of: id, flight.bytes)
        return Made(
            opening: Opening(
                id: id, openedAt: self.now(), flight: sealed,
                walkedUntil: departure.trip.map { _ in self.now() + Login.lease }), departure: departure,
            cookie: keepsTarget ? nil : OpeningCookie(login.id, opening: id, under: key))
    }

    /// Where an opening leads when a browser sets out with it again: the same state, nonce and verifier in a request that
    /// is made anew, since a broker may take a pushed or signed request only once.
    func makeAgain(
        _ opening: Opening, isOwn: Bool, of login: Login, languages: [String], _ key: ServerKey
    ) async throws(BrokerFailure) -> Made {
        let (provider, broker) = try self.asked(for: login)
        guard let flight = self.flight(of: opening.id, opening.flight, login.id, key) else {
            throw BrokerFailure(.unavailable, "flight_unreadable")
        }
        let challenge = flight.challenge(state: self.state(of: opening.id, login, key))
        let visit = self.visit(of: login, key, languages: languages, switching: isOwn ? opening.id : nil)
        let departure = try await broker.departAgain(for: provider, challenge, visit, flight.trip)
        return Made(
            opening: opening, departure: departure,
            cookie: isOwn ? OpeningCookie(login.id, opening: opening.id, under: key) : nil)
    }

    private func asked(for login: Login) throws(BrokerFailure) -> (Provider, any Broker) {
        let rules = self.book.rules(of: login)
        guard let provider = rules.providers[login.provider]?.provider, let broker = rules.brokers[login.broker] else {
            throw BrokerFailure(.unavailable, "provider_removed")
        }
        return (provider, broker)
    }

    private func state(of opening: [UInt8], _ login: Login, _ key: ServerKey) -> String {
        StateToken(login: login.id, opening: opening).text(for: login.broker, under: key)
    }

    /// Waiting does not help where the broker has said no; a login that somebody may still finish is left alone.
    func refuse(_ id: LoginID, _ failure: BrokerFailure) async throws(Refusal) -> OpenAnswer {
        let changed = try await self.change(id) { login, _ in login.refuse(failure.reason, at: self.now()) }
        guard let changed else { return .page(PageView(.neutral)) }
        guard changed.login.state != .pending else { return .page(self.page(.unavailable, of: changed.login)) }
        return .page(self.page(of: changed.login))
    }

    /// `switching` is the opening whose switch proof the e-ID's app may get; nil where no cookie could make it count.
    private func visit(
        of login: Login, _ key: ServerKey, languages: [String], switching opening: [UInt8]?
    ) -> Visit {
        let wishes = self.wishes(of: login, key)
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
        if let opening, login.release == .returnLink, !visit.redirectsToApp, let link = visit.returnURL {
            let proof = SwitchProof.text(login.id, opening: opening, under: key)
            visit.switchURL = "\(link)\(link.contains("?") ? "&" : "?")login=\(login.id)&switch=\(proof)"
        }
        return visit
    }

    /// The system of the phone on which the e-ID's app is to be opened.
    func phone(of login: Login, _ key: ServerKey) -> Visit.Platform? {
        var visit = Visit()
        visit.platform = login.platform.flatMap(Visit.Platform.init)
        guard visit.platform == .web else { return visit.platform }
        visit.system = self.wishes(of: login, key)?.system
        return visit.phone
    }

    private func wishes(of login: Login, _ key: ServerKey) -> AppWishes? {
        FlightSeal(login.id, under: key).open(.request, of: [], login.request).flatMap { try? AppWishes($0) }
    }

    func flight(of opening: [UInt8], _ sealed: [UInt8], _ id: LoginID, _ key: ServerKey) -> Flight? {
        FlightSeal(id, under: key).open(.challenge, of: opening, sealed).flatMap { try? Flight($0) }
    }

    /// Stores that a browser sets out, and sends it. A trip of this opening that is under way goes on.
    func send(
        _ made: Made, of id: LoginID, _ setOut: (inout Login) -> Login.OpenAction
    ) async throws(Refusal) -> OpenAnswer {
        let changed = try await self.change(id) { login, _ in setOut(&login) }
        guard let changed else { return .page(PageView(.neutral)) }
        switch (changed.action, made.departure.target) {
        case (.send, .browser(let url)):
            self.pending.open(id)
            self.observe(LoginEvent(.opened, changed.login))
            self.follow(made, of: changed.login)
            return .redirect(to: url, made.cookie)
        case (.refuse, _):
            return .page(self.page(.openElsewhere, of: changed.login))
        case (.send, .app), (.show, _):
            return .page(self.page(of: changed.login))
        }
    }
}
