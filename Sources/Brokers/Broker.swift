import Base
import OpenIDConnect

/// A broker: starts authorization attempts, receives the responses in one way or another, and makes identities of them.
///
/// It stores no login. What it needs again later is passed back to it (`BackchannelTransaction`, `Challenge`).
package protocol Broker: Sendable {
    typealias Parameters = [Parameter]

    var id: String { get }

    /// For monitoring: when we last fetched the broker's metadata and keys. Nil if there is nothing to fetch.
    var metadataFetchedAt: Timestamp? { get }
    var keysFetchedAt: Timestamp? { get }

    /// The redirect URI, if it is a link that opens the app.
    var appRedirectURI: String? { get }

    /// Whether a link to the app may bring a response without a `state`. `redeem` then has to find out which login it
    /// belongs to, and throws `.foreign` if it cannot.
    var respondsWithoutState: Bool { get }

    /// The names of parameters that only a response has.
    var responseNames: Set<String> { get }

    /// Returns whether an app may set this authorize parameter to this value, if its provider allows the name.
    func accepts(_ parameter: Parameter) -> Bool

    /// Starts an authorization attempt.
    func startAuthorization(
        for provider: Provider, _ challenge: Challenge, _ context: AuthorizationContext
    ) async throws(BrokerError) -> AuthorizationStart

    /// Repeats the authorization start, for a browser that opens it a second time. A backchannel transaction that is
    /// running at the broker continues.
    func restartAuthorization(
        for provider: Provider, _ challenge: Challenge, _ context: AuthorizationContext,
        _ transaction: BackchannelTransaction?
    ) async throws(BrokerError) -> AuthorizationStart

    /// Returns what a browser or a link delivered, in the form that the methods below expect.
    func normalized(_ parameters: Parameters) -> Parameters

    /// Returns where a browser has to continue, by a link to the app; nil if the link names no such URL, or one that is
    /// not the broker's.
    func resumeURL(in parameters: Parameters) -> String?

    /// Returns the `state` of a response that is not validated yet. Throws unless there is exactly one.
    func state(in parameters: Parameters) throws(StateError) -> String

    /// Validates the response and returns what it says. The caller has found the login by the `state`.
    func validate(
        _ parameters: Parameters, state: String, for provider: Provider
    ) async throws(BrokerError) -> AuthorizationResult

    /// Returns the state of the transaction. Called at its interval, or when the user is back.
    func fetchProgress(of transaction: BackchannelTransaction) async throws(BrokerError) -> BackchannelProgress

    /// Cancels a transaction that is no longer needed, if the broker supports that. Nothing depends on the result.
    func abandon(_ transaction: BackchannelTransaction) async

    /// Exchanges a code or an artifact. The response has to be stored before the next request.
    func redeem(code: Secret, _ challenge: Challenge, _ transaction: BackchannelTransaction?) async throws(BrokerError)
        -> BrokerAnswer

    /// Returns the part of that response that `identify` needs. Nothing else is stored.
    func retained(_ answer: BrokerAnswer, for provider: Provider) -> Secret

    /// Returns the identity in that response, or in the part of it that was stored. `code` is the exchanged code; nil after a transaction that delivered its
    /// response itself.
    func identify(
        _ answer: BrokerAnswer, code: Secret?, _ challenge: Challenge, for provider: Provider, openedAt: Timestamp
    ) async throws(BrokerError) -> Identity
}

extension Broker {
    package var metadataFetchedAt: Timestamp? { nil }
    package var keysFetchedAt: Timestamp? { nil }
    package var respondsWithoutState: Bool { false }
    package var responseNames: Set<String> { ResponseParameters.names }

    package func accepts(_ parameter: Parameter) -> Bool { true }

    package func restartAuthorization(
        for provider: Provider, _ challenge: Challenge, _ context: AuthorizationContext,
        _ transaction: BackchannelTransaction?
    ) async throws(BrokerError) -> AuthorizationStart {
        try await self.startAuthorization(for: provider, challenge, context)
    }

    package func normalized(_ parameters: Parameters) -> Parameters { parameters }

    package func resumeURL(in parameters: Parameters) -> String? { nil }

    package func fetchProgress(of transaction: BackchannelTransaction) async throws(BrokerError) -> BackchannelProgress
    { .pending(nil) }

    package func abandon(_ transaction: BackchannelTransaction) async {}

    package func retained(_ answer: BrokerAnswer, for provider: Provider) -> Secret { answer.bytes }
}
