import Base
import Brokers
import Logins
import OpenIDConnect
import Synchronization

/// A scripted broker that counts its calls.
final class TableBroker: Broker {
    let id = "table"
    /// The redirect URI, if it is a link to the app.
    let appRedirectURI: String?
    private let redeeming: LeftLogins.Redeeming
    let redeemed = Atomic<Int>(0)
    let asked = Atomic<Int>(0)
    /// Runs while the first exchange fetches what it needs before the code is sent.
    let meanwhile = Mutex<(@Sendable () async -> Void)?>(nil)
    /// If set, each token request waits for its turn, and this runs meanwhile.
    let whileWaiting = Mutex<(@Sendable () async -> Void)?>(nil)
    /// Runs when a token request was sent, before its response.
    let beforeAnswering = Mutex<(@Sendable () async -> Void)?>(nil)

    init(_ redeeming: LeftLogins.Redeeming = .works, appRedirectURI: String? = nil) {
        self.redeeming = redeeming
        self.appRedirectURI = appRedirectURI
    }

    func startAuthorization(
        for provider: Provider, _ challenge: Challenge, _ context: AuthorizationContext
    ) async throws(BrokerError) -> AuthorizationStart {
        AuthorizationStart(.browser(url: "https://id.example.com?state=" + challenge.state))
    }

    func state(in parameters: Parameters) throws(StateError) -> String {
        guard let state = parameters.first(where: { $0.name == "state" })?.value else { throw .missing }
        return state
    }

    func validate(
        _ parameters: Parameters, state: String, for provider: Provider
    ) async throws(BrokerError) -> AuthorizationResult {
        if let error = parameters.first(where: { $0.name == "error" })?.value {
            return .denied(BrokerError(error == "cancelled" ? .cancelled : .refused, .oauth(ErrorWord(error))))
        }
        guard let code = parameters.first(where: { $0.name == "code" })?.value else { return .landed }
        return .granted(code: Secret(code))
    }

    func fetchProgress(of transaction: BackchannelTransaction) async throws(BrokerError) -> BackchannelProgress {
        try await self.takeTurn()
        self.asked.add(1, ordering: .relaxed)
        await self.beforeAnswering.withLock { $0 }?()
        return .tokenResponse(BrokerAnswer(Secret("answer")))
    }

    func redeem(code: Secret, _ challenge: Challenge, _ transaction: BackchannelTransaction?) async throws(BrokerError)
        -> BrokerAnswer
    {
        let meanwhile = self.meanwhile.withLock { meanwhile in
            defer { meanwhile = nil }
            return meanwhile
        }
        await meanwhile?()
        try await self.takeTurn()
        self.redeemed.add(1, ordering: .relaxed)
        await self.beforeAnswering.withLock { $0 }?()
        switch self.redeeming {
        case .works: break
        case .fails(let failure): throw failure
        }
        return BrokerAnswer(Secret("answer"))
    }

    /// Asks as the transport does.
    private func takeTurn() async throws(BrokerError) {
        let observer = FetchContext.current?.observer
        if let whileWaiting = self.whileWaiting.withLock({ $0 }) {
            observer?.waits(.atMostOnce)
            await whileWaiting()
        }
        guard !Task.isCancelled, await observer?.maySend() ?? true else {
            throw BrokerError(.notAsked, .unanswered(.token, .cancelled))
        }
    }

    /// The issuer tells whether the identity came from a code or from a backchannel transaction.
    func identify(
        _ answer: BrokerAnswer, code: Secret?, _ challenge: Challenge, for provider: Provider, openedAt: Timestamp
    ) async throws(BrokerError) -> Identity {
        guard answer.bytes.exposedText == "answer" else {
            throw BrokerError(.invalidToken, .tokenResponse(.refused(.malformed)))
        }
        return Identity(issuer: code == nil ? "trip" : "code", subject: "s", provider: "mitid", eid: "mitid")
    }
}
