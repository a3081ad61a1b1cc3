/// A step of a login, for the log, the metrics, and whatever else follows logins.
///
/// Each step is told once, by the process that took it. An event holds no secret and no personal data.
import Brokers

package struct LoginEvent: Equatable, Sendable {
    package enum Step: Equatable, Sendable {
        case created
        /// A browser or an e-ID's app was sent to the broker.
        case opened
        /// The broker could not be asked for a login.
        case openFailed(BrokerError)
        /// The app said that the person is back.
        case returned(Return)
        /// The broker's answer was taken; with why it was no, where it was.
        case callback(denied: BrokerError?)
        /// A callback that changed no login.
        case callbackIgnored(IgnoredCallback)
        /// The broker has answered the code, and its answer is stored.
        case redeemed
        case exchangeFailed(BrokerError)
        /// The person is known. The same-device proof may still be missing.
        case identified
        /// The same-device proof was seen.
        case proven(Proof)
        /// The app showed a wrong proof.
        case proofRefused(WrongProof)
        /// The login is final.
        case ended(after: Duration)
        /// The result was part of an answer to the app. Each answer counts.
        case delivered
        /// The app has the result safe, and it was wiped.
        case acknowledged
        /// This process goes on with what another one has left.
        case takenOver(Unfinished)
        /// A row of the store was not believed.
        case rowRefused(RowError)
        case storeFailed
    }

    package enum Return: String, CaseIterable, Sendable {
        case link
        /// The browser was closed, minimised or killed, or a link never fired.
        case withoutLink = "without_link"
    }

    package enum IgnoredCallback: Equatable, Sendable {
        /// The state is missing, repeated, or none of ours.
        case state
        case unknownLogin
        /// The login is at another broker.
        case otherBroker
        /// The provider is not configured any more.
        case unknownProvider
        case late
        /// The login has taken another response.
        case otherResponse
        /// The answer is to another login, or nobody can tell to which. The word is that of `BrokerError.detail`.
        case foreign(String)
    }

    package enum WrongProof: Equatable, Sendable {
        case code(triesLeft: Int)
        /// A link or a switch proof of another login, or one that the app's rule does not accept.
        case link
    }

    package enum Unfinished: String, CaseIterable, Sendable {
        /// A code that may have been sent to the broker.
        case code
        /// The broker's answer to the code.
        case tokenAnswer = "token_answer"
        /// A login that the broker is asked about.
        case backchannel
    }

    package let step: Step
    package let login: LoginID?
    package private(set) var app: String?
    package private(set) var provider: String?
    package private(set) var platform: Visit.Platform?
    package private(set) var status: LoginStatus?
    package private(set) var reason: Reason?

    /// An event of no login that could be read.
    init(_ step: Step, id: LoginID? = nil) {
        self.step = step
        self.login = id
    }

    init(_ step: Step, _ login: Login?) {
        self.step = step
        self.login = login?.id
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
    /// What it is called in logs and metrics.
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
        case .delivered: "delivered"
        case .acknowledged: "acknowledged"
        case .takenOver: "taken_over"
        case .rowRefused: "row_refused"
        case .storeFailed: "store_failed"
        }
    }
}

extension LoginEvent.IgnoredCallback {
    /// What it is called in logs and metrics.
    package var name: String {
        switch self {
        case .state: "state"
        case .unknownLogin: "unknown_login"
        case .otherBroker: "other_broker"
        case .unknownProvider: "unknown_provider"
        case .late: "late"
        case .otherResponse: "other_response"
        case .foreign(let word): word
        }
    }
}

extension Login {
    /// What happened between `before` and this, but for the end of the login.
    func steps(since before: Login) -> [LoginEvent.Step] {
        var steps: [LoginEvent.Step] = []
        if case .exchanging(let exchange) = self.state, case .exchanging(let known) = before.state,
            exchange.answer != nil, known.answer == nil
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
}

/// Why a row of the store is not believed. Nothing can come of its login any more: it is removed when it is due.
package enum RowError: String, Error, CaseIterable, Sendable {
    /// The row names a key that is not configured any more.
    case retiredKey = "retired_key"
    /// Changed, cut short or mixed up by whoever can write the store.
    case forged
}

extension RowError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .retiredKey: "its server key is not configured any more: configure it as a former key"
        case .forged: "somebody else than this server has changed it: see who can write the store"
        }
    }
}
