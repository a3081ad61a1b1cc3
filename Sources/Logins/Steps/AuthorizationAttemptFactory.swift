import Base
import Brokers
import OpenIDConnect

/// Makes authorization attempts: each is an authorization request with its own secrets. It stores nothing.
struct AuthorizationAttemptFactory: Sendable {
    let now: @Sendable () -> Timestamp

    /// An authorization attempt and its authorization start.
    struct NewAttempt: Sendable {
        let attempt: AuthorizationAttempt
        let authorizationStart: AuthorizationStart
        /// For the browser that starts the attempt. Nil if the URL goes to the app, because we cannot know which
        /// browser opens it. Nil too for a browser that shares another browser's attempt.
        var cookie: AttemptCookie?
    }

    /// Who starts the attempt.
    enum Initiator: Sendable {
        /// A browser at our own link, with its preferred languages.
        case browser(languages: [String])
        /// The app: every poll shows it the target. `address` is the device's IP address, if the broker wants it.
        case app(address: String?)
    }

    /// Makes a new authorization attempt.
    func make(of snapshot: LoginSnapshot, for initiator: Initiator) async throws(BrokerError) -> NewAttempt {
        let (provider, broker) = try Self.broker(for: snapshot)
        let id = RandomBytes.make(AuthorizationAttempt.idByteCount)
        let challenge = Challenge.make(state: snapshot.state(of: id))
        var context: AuthorizationContext
        let isForApp: Bool
        switch initiator {
        case .browser(let languages):
            context = Self.makeContext(of: snapshot, languages: languages, switching: id)
            isForApp = false
        case .app(let address):
            context = Self.makeContext(of: snapshot, languages: [], switching: nil)
            context.address = address
            isForApp = true
        }
        let authorizationStart = try await broker.startAuthorization(for: provider, challenge, context)
        let inFlight = InFlightValues(challenge, authorizationStart, keepsTarget: isForApp)
        return NewAttempt(
            attempt: AuthorizationAttempt(
                id: id, openedAt: self.now(), inFlight: snapshot.inFlightSeal.seal(.challenge, of: id, inFlight.bytes),
                pollLeaseUntil: authorizationStart.transaction.map { _ in self.now() + Login.leaseDuration }),
            authorizationStart: authorizationStart,
            cookie: isForApp ? nil : AttemptCookie(snapshot.id, attempt: id, under: snapshot.key))
    }

    /// Starts an existing attempt again: with the same state, nonce and verifier, but in a new authorization request,
    /// because a broker may accept a pushed or signed request only once.
    func remake(
        _ attempt: AuthorizationAttempt, isOwn: Bool, of snapshot: LoginSnapshot, languages: [String]
    ) async throws(BrokerError) -> NewAttempt {
        let (provider, broker) = try Self.broker(for: snapshot)
        guard let inFlight = snapshot.inFlight(of: attempt) else {
            throw BrokerError(.unavailable, .flightUnreadable)
        }
        let challenge = inFlight.challenge(state: snapshot.state(of: attempt.id))
        let context = Self.makeContext(of: snapshot, languages: languages, switching: isOwn ? attempt.id : nil)
        let authorizationStart = try await broker.restartAuthorization(
            for: provider, challenge, context, inFlight.transaction)
        return NewAttempt(
            attempt: attempt, authorizationStart: authorizationStart,
            cookie: isOwn ? AttemptCookie(snapshot.id, attempt: attempt.id, under: snapshot.key) : nil)
    }

    private static func broker(for snapshot: LoginSnapshot) throws(BrokerError) -> (Provider, any Broker) {
        guard let provider = snapshot.provider?.provider, let broker = snapshot.broker else {
            throw BrokerError(.unavailable, .providerRemoved)
        }
        return (provider, broker)
    }

    /// Returns the authorization context. `switching` is the attempt whose switch proof the e-ID's app may get. It is
    /// nil if no cookie could validate the proof.
    private static func makeContext(
        of snapshot: LoginSnapshot, languages: [String], switching attempt: [UInt8]?
    ) -> AuthorizationContext {
        let (login, options) = (snapshot.login, snapshot.options)
        var context = AuthorizationContext()
        context.platform = login.platform
        context.system = options?.os
        context.redirectsToApp = snapshot.broker?.appRedirectURI != nil
        context.switchesApps = options?.appSwitch ?? true
        context.languages = login.locale.map { [$0] } ?? languages
        context.returnURL = snapshot.app?.returnPrefixes.first(where: ReturnPrefix.isWebLink)
        context.parameters = options?.parameters ?? []
        if let attempt, login.release == .returnLink, !context.redirectsToApp, let link = context.returnURL {
            let proof = SwitchProof.text(login.id, attempt: attempt, under: snapshot.key)
            context.switchURL = link.adding(query: "login=\(login.id)&switch=\(proof)")
        }
        return context
    }
}
