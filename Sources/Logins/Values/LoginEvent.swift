import Base
import Brokers

/// A step of a login, for the log, the metrics and other observers.
///
/// Only the process that took a step reports it, once. An event contains no secret and no personal data.
package struct LoginEvent: Equatable, Sendable {
    package enum Step: Equatable, Sendable {
        case created(by: UserAgent)
        /// A browser or an e-ID's app was sent to the broker.
        case opened
        /// The broker could not be called for a login.
        case openFailed(BrokerError)
        /// The app reported that the user returned.
        case returned(Return)
        /// An authorization response was taken, with the error if the broker denied the login.
        case callback(denied: BrokerError?)
        /// A callback that changed no login.
        case callbackIgnored(IgnoredCallback)
        /// The broker has redeemed the code, and we have stored its response.
        case redeemed
        case exchangeFailed(BrokerError)
        /// The user's identity is known. The same-device proof may still be missing.
        case identified
        /// The login got its same-device proof.
        case proven(SameDeviceProof)
        /// The app presented a wrong proof.
        case proofRefused(WrongProof)
        /// The login is final. `at` is where it stood if it ended because nobody continued it, and `because` what the broker
        /// did if that ended it.
        case ended(after: Duration, at: LoginStage?, because: BrokerError?)
        /// The login ended because its caller had too many that no browser had opened.
        case evicted
        /// The app has started another login instead of this one, which stays as it is.
        case replaced(by: LoginID)
        /// A response to the app contained the result. Each response counts.
        case delivered
        /// The app has stored the result, and we have wiped it.
        case acknowledged
        /// This process resumes work that another process left unfinished.
        case takenOver(Unfinished)
        /// A row of the store did not verify.
        case rowRefused(RowError)
        case storeFailed(StoreWork)
    }

    package enum Return: String, CaseIterable, Sendable {
        case link
        /// The browser was closed, minimised or killed, or a link did not open the app.
        case withoutLink = "without_link"
    }

    package enum IgnoredCallback: Equatable, Sendable {
        /// We did not make the state.
        case state
        /// There is not exactly one state that can be read.
        case noState(StateError)
        /// The body of a POST is no form.
        case mediaType
        /// No broker has this path.
        case unknownBroker
        case unknownLogin
        /// The login belongs to another broker.
        case otherBroker
        /// The provider is no longer configured.
        case unknownProvider
        case late
        /// The login took another response.
        case otherResponse
        /// The response belongs to another login, or cannot be assigned to one.
        case foreign(BrokerError.Cause)
    }

    package enum WrongProof: Equatable, Sendable {
        case code(triesLeft: Int)
        /// A link or a switch proof of another login, or one that the app's release policy does not accept.
        case link
    }

    package enum Unfinished: String, CaseIterable, Sendable {
        /// A code that may have been sent to the broker.
        case code
        /// The broker's response to the code.
        case tokenAnswer = "token_answer"
        /// A login for which we poll the broker.
        case backchannel
    }

    package let step: Step
    package let login: LoginID?
    package private(set) var broker: String?
    package private(set) var app: String?
    package private(set) var provider: String?
    package private(set) var platform: AuthorizationContext.Platform?
    package private(set) var status: LoginStatus?
    package private(set) var reason: Reason?

    /// Makes an event without a readable login.
    init(_ step: Step, id: LoginID? = nil) {
        self.step = step
        self.login = id
    }

    init(_ step: Step, _ login: Login?) {
        self.step = step
        self.login = login?.id
        self.broker = login?.broker
        self.app = login?.app
        self.provider = login?.provider
        self.platform = login?.platform
        self.status = login?.status
        self.reason = login?.reason
    }

    init(_ step: Step, _ view: LoginView) {
        self.step = step
        self.login = view.id
        self.app = view.app
        self.provider = view.provider
        self.platform = view.platform
        self.status = view.status
        self.reason = view.reason
    }
}

extension LoginEvent.Step {
    /// The name in logs and metrics.
    package var name: String {
        switch self {
        case .created: "created"
        case .opened: "opened"
        case .openFailed: "open_failed"
        case .returned: "returned"
        case .callback: "callback"
        case .callbackIgnored: "callback_ignored"
        case .redeemed: "redeemed"
        case .exchangeFailed: "exchange_failed"
        case .identified: "identified"
        case .proven: "proven"
        case .proofRefused: "proof_refused"
        case .ended: "ended"
        case .evicted: "evicted"
        case .replaced: "replaced"
        case .delivered: "delivered"
        case .acknowledged: "acknowledged"
        case .takenOver: "taken_over"
        case .rowRefused: "row_refused"
        case .storeFailed: "store_failed"
        }
    }
}

extension LoginEvent.Step {
    /// What the broker did, if that is what the step reports.
    package var brokerError: BrokerError? {
        switch self {
        case .openFailed(let failure), .exchangeFailed(let failure): failure
        case .callback(let denial): denial
        case .ended(_, _, let failure): failure
        case .created, .opened, .returned, .callbackIgnored, .redeemed, .identified, .proven, .proofRefused,
            .evicted, .replaced, .delivered, .acknowledged, .takenOver, .rowRefused, .storeFailed:
            nil
        }
    }
}

extension LoginEvent.IgnoredCallback {
    /// The name in logs and metrics.
    package var name: String {
        switch self {
        case .state: "state"
        case .noState(let error): "state_\(error.rawValue)"
        case .mediaType: "media_type"
        case .unknownBroker: "unknown_broker"
        case .unknownLogin: "unknown_login"
        case .otherBroker: "other_broker"
        case .unknownProvider: "unknown_provider"
        case .late: "late"
        case .otherResponse: "other_response"
        case .foreign(let cause): cause.text
        }
    }
}

extension Login {
    /// Returns what happened between `before` and this login, except for the end of the login.
    func steps(since before: Login) -> [LoginEvent.Step] {
        var steps: [LoginEvent.Step] = []
        if case .exchanging(let exchange) = self.state, case .exchanging(let formerExchange) = before.state,
            exchange.tokenResponse != nil, formerExchange.tokenResponse == nil
        {
            steps.append(.redeemed)
        }
        if before.status == .exchanging, [.awaitingReturn, .completed].contains(self.status) {
            steps.append(.identified)
        }
        let mayStillEndWell = [.exchanging, .awaitingReturn, .completed].contains(self.status)
        if mayStillEndWell, before.proven == nil, let proof = self.proven { steps.append(.proven(proof)) }
        return steps
    }

    /// Returns the end of the login, if it has ended since `before`. `failure` is what the broker did.
    func end(since before: Login, because failure: BrokerError?, at now: Timestamp) -> LoginEvent.Step? {
        guard before.isOpen, !self.isOpen, self.status != nil else { return nil }
        let isAbandoned = self.status == .expired || self.reason == .appCancelled
        // A login that ran out, or was cancelled, just before the broker's answer did not end for the answer.
        return .ended(
            after: now - self.createdAt, at: isAbandoned ? LoginStage(before) : nil,
            because: isAbandoned || self.status == .completed ? nil : failure)
    }
}

/// Why a row of the store does not verify. Its login cannot continue, and the row is removed when it is due.
package enum RowError: String, Error, CaseIterable, Sendable {
    /// The row names a server key that is no longer configured.
    case retiredKey = "retired_key"
    /// The row was changed, truncated or swapped by someone with write access to the store.
    case forged
}

extension RowError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .retiredKey: "its server key is no longer configured: configure it as a former key"
        case .forged: "someone else has changed it: check who has write access to the store"
        }
    }
}

/// What could not be done because the store did not work.
package enum StoreWork: String, CaseIterable, Sendable {
    case read
    case write
    /// Looking for what is due, or for what another process has left.
    case sweep
    /// Counting the open logins, for `limits.pending_logins`.
    case count
}
