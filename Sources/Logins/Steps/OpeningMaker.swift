/// Makes openings: each is an authorize request of its own, with its own secrets. Nothing is stored here.
import Base
import Brokers
import OpenIDConnect

struct OpeningMaker: Sendable {
    let now: @Sendable () -> Timestamp

    /// An opening, and what it leads to.
    struct Made: Sendable {
        let opening: Opening
        let departure: Departure
        /// For the browser that sets out. Nil for the URL of a create, which goes to the app: no cookie could tell who opens
        /// it. Nil too for a browser that shares the opening of another.
        var cookie: OpeningCookie?
    }

    /// For whom an opening is made.
    enum Traveller: Sendable {
        /// A browser at our own link, with the languages that it names.
        case browser(languages: [String])
        /// The app, which shows every poll where it leads; with the address of its device, if the broker wants that.
        case app(address: String?)
    }

    /// A new opening and where it leads.
    func make(of snapshot: LoginSnapshot, for traveller: Traveller) async throws(BrokerError) -> Made {
        let (provider, broker) = try Self.asked(for: snapshot)
        let id = RandomBytes.make(Opening.idByteCount)
        let challenge = Challenge.make(state: snapshot.state(of: id))
        var visit: Visit
        let isForApp: Bool
        switch traveller {
        case .browser(let languages):
            visit = Self.visit(of: snapshot, languages: languages, switching: id)
            isForApp = false
        case .app(let address):
            visit = Self.visit(of: snapshot, languages: [], switching: nil)
            visit.address = address
            isForApp = true
        }
        let departure = try await broker.depart(for: provider, challenge, visit)
        let flight = Flight(challenge, departure, keepsTarget: isForApp)
        return Made(
            opening: Opening(
                id: id, openedAt: self.now(), flight: snapshot.flightSeal.seal(.challenge, of: id, flight.bytes),
                walkedUntil: departure.trip.map { _ in self.now() + Login.lease }), departure: departure,
            cookie: isForApp ? nil : OpeningCookie(snapshot.id, opening: id, under: snapshot.key))
    }

    /// Where an opening leads when a browser sets out with it again: the same state, nonce and verifier in a request that
    /// is made anew, since a broker may take a pushed or signed request only once.
    func makeAgain(
        _ opening: Opening, isOwn: Bool, of snapshot: LoginSnapshot, languages: [String]
    ) async throws(BrokerError) -> Made {
        let (provider, broker) = try Self.asked(for: snapshot)
        guard let flight = snapshot.flight(of: opening) else {
            throw BrokerError(.unavailable, "flight_unreadable")
        }
        let challenge = flight.challenge(state: snapshot.state(of: opening.id))
        let visit = Self.visit(of: snapshot, languages: languages, switching: isOwn ? opening.id : nil)
        let departure = try await broker.departAgain(for: provider, challenge, visit, flight.trip)
        return Made(
            opening: opening, departure: departure,
            cookie: isOwn ? OpeningCookie(snapshot.id, opening: opening.id, under: snapshot.key) : nil)
    }

    private static func asked(for snapshot: LoginSnapshot) throws(BrokerError) -> (Provider, any Broker) {
        guard let provider = snapshot.provider?.provider, let broker = snapshot.broker else {
            throw BrokerError(.unavailable, "provider_removed")
        }
        return (provider, broker)
    }

    /// `switching` is the opening whose switch proof the e-ID's app may get; nil where no cookie could make it count.
    private static func visit(
        of snapshot: LoginSnapshot, languages: [String], switching opening: [UInt8]?
    ) -> Visit {
        let (login, wishes) = (snapshot.login, snapshot.wishes)
        var visit = Visit()
        visit.platform = login.platform
        visit.system = wishes?.system
        visit.redirectsToApp = snapshot.broker?.appRedirectURI != nil
        visit.switchesApps = wishes?.switchesApps ?? true
        visit.languages = login.locale.map { [$0] } ?? languages
        visit.returnURL = snapshot.app?.returnPrefixes.first { LoginSnapshot.isWebLink($0) }
        visit.parameters = wishes?.parameters ?? []
        if let opening, login.release == .returnLink, !visit.redirectsToApp, let link = visit.returnURL {
            let proof = SwitchProof.text(login.id, opening: opening, under: snapshot.key)
            visit.switchURL = "\(link)\(link.contains("?") ? "&" : "?")login=\(login.id)&switch=\(proof)"
        }
        return visit
    }
}
