/// Makes authorization attempts: each is an authorization request with its own secrets. It stores nothing.
import Base
import Brokers
import OpenIDConnect

struct OpeningMaker: Sendable {
    let now: @Sendable () -> Timestamp

    /// An authorization attempt and its authorization start.
    struct Made: Sendable {
        let opening: Opening
        let departure: Departure
        /// For the browser that starts the attempt. Nil if the URL goes to the app, because we cannot know which
        /// browser opens it. Nil too for a browser that shares another browser's attempt.
        var cookie: OpeningCookie?
    }

    /// Who starts the attempt.
    enum Traveller: Sendable {
        /// A browser at our own link, with its preferred languages.
        case browser(languages: [String])
        /// The app: every poll shows it the target. `address` is the device's IP address, if the broker wants it.
        case app(address: String?)
    }

    /// Makes a new authorization attempt.
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

    /// Starts an existing attempt again: with the same state, nonce and verifier, but in a new authorization request,
    /// because a broker may accept a pushed or signed request only once.
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

    /// Returns the authorization context. `switching` is the attempt whose switch proof the e-ID's app may get. It is
    /// nil if no cookie could validate the proof.
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
