/// A broker: it is asked for a login, it answers by one way or another, and its answer is judged and made an identity.
///
/// It keeps no login: what it needs again later is given back to it (`Trip`, `Challenge`).
import Base
import OpenIDConnect

package protocol Broker: Sendable {
    typealias Parameters = [Parameter]

    var id: String { get }

    /// For whoever watches: how old is what we believe of the broker? Nil where there is nothing to fetch.
    var metadataFetchedAt: Timestamp? { get }
    var keysFetchedAt: Timestamp? { get }

    /// The redirect URI, if it is a link that opens the app.
    var appRedirectURI: String? { get }

    /// Whether a link to the app may bring the answer without a `state`: `redeem` then has to see to whose it is, and fails
    /// with `.foreign` where that cannot be told.
    var answersWithoutState: Bool { get }

    /// Whether an app may set this authorize parameter to that, where its provider allows the name.
    func takes(_ parameter: Parameter) -> Bool

    /// Asks for a login.
    func depart(
        for provider: Provider, _ challenge: Challenge, _ visit: Visit
    ) async throws(BrokerError) -> Departure

    /// The same again, for a browser that sets out a second time. What is under way at the broker goes on.
    func departAgain(
        for provider: Provider, _ challenge: Challenge, _ visit: Visit, _ trip: Trip?
    ) async throws(BrokerError) -> Departure

    /// What a browser or a link brought, as it should have been written.
    func received(_ parameters: Parameters) -> Parameters

    /// Where a browser is to go on, by a link to the app; nil when it says nothing of it, or leads to somebody else.
    func resumeURL(in parameters: Parameters) -> String?

    /// The `state` of an answer, not judged yet; nil when there is not exactly one.
    func state(in parameters: Parameters) -> String?

    /// What the answer says, once it has passed the rules. The `state` is known to be ours.
    func judge(
        _ parameters: Parameters, state: String, for provider: Provider
    ) async throws(BrokerError) -> Judgement

    /// How the trip stands, asked at its interval or when the person is back.
    func progress(of trip: Trip) async throws(BrokerError) -> Progress

    /// Nobody waits for this trip any more. The broker is told where it can be; nothing depends on it.
    func giveUp(_ trip: Trip) async

    /// Gets what `redeem` needs to know. It spends nothing at the broker.
    func prepare() async throws(BrokerError)

    /// Redeems a code or an artifact. Returns the answer as it came, to be kept before anything else is asked.
    func redeem(code: Secret, _ challenge: Challenge, _ trip: Trip?) async throws(BrokerError) -> Secret

    /// Who it was, by that answer. The code is the one that was redeemed; there is none after a trip that brought its
    /// answer itself.
    func identify(
        _ answer: Secret, code: Secret?, _ challenge: Challenge, for provider: Provider, openedAt: Timestamp
    ) async throws(BrokerError) -> Identity
}

extension Broker {
    package var metadataFetchedAt: Timestamp? { nil }
    package var keysFetchedAt: Timestamp? { nil }
    package var answersWithoutState: Bool { false }

    package func takes(_ parameter: Parameter) -> Bool { true }

    package func departAgain(
        for provider: Provider, _ challenge: Challenge, _ visit: Visit, _ trip: Trip?
    ) async throws(BrokerError) -> Departure {
        try await self.depart(for: provider, challenge, visit)
    }

    package func received(_ parameters: Parameters) -> Parameters { parameters }

    package func resumeURL(in parameters: Parameters) -> String? { nil }

    package func progress(of trip: Trip) async throws(BrokerError) -> Progress { .pending(nil) }

    package func giveUp(_ trip: Trip) async {}

    package func prepare() async throws(BrokerError) {}
}
