import Base
import Brokers

/// A stage that a login has reached, to count logins by it.
///
/// Each login reaches a stage at most once, however often its link is opened, whichever server it is on, and also after
/// a restart: the row says how far the login has come, and only the write that brings it further counts.
package struct StageCount: Equatable, Sendable {
    package enum Stage: Hashable, Sendable {
        /// The app started the login.
        case created
        /// A browser or an e-ID's app was sent to the broker.
        case opened
        /// The broker's response is there, or the browser is back from the broker.
        case callback
        /// The broker has given tokens for the response.
        case exchanged
        /// The user is known, and the same-device proof is there if the login needs one: it is completed.
        case proven
        /// The app has got the identity.
        case delivered
        /// The app has stored the identity, and we have wiped it.
        case acknowledged
        /// The login is final.
        case ended(End)
    }

    /// How a login ended.
    package enum End: Hashable, Sendable {
        case completed
        /// Its caller had too many that no browser had opened.
        case evicted
        /// Nobody continued it in time from where it stood.
        case timeout(at: LoginStage)
        case reason(Reason)
    }

    package let stage: Stage
    package let app: String
    package let provider: String
    package let platform: AuthorizationContext.Platform?

    package init(_ stage: Stage, app: String, provider: String, platform: AuthorizationContext.Platform?) {
        self.stage = stage
        self.app = app
        self.provider = provider
        self.platform = platform
    }

    init(_ stage: Stage, _ login: Login) {
        self.init(stage, app: login.app, provider: login.provider, platform: login.platform)
    }
}

extension StageCount.Stage {
    /// Every stage, in the order of a login.
    package static let all: [Self] =
        [.created, .opened, .callback, .exchanged, .proven, .delivered, .acknowledged]
        + StageCount.End.all.map(Self.ended)

    /// The name in metrics.
    package var name: String {
        switch self {
        case .created: "created"
        case .opened: "opened"
        case .callback: "callback"
        case .exchanged: "exchanged"
        case .proven: "proven"
        case .delivered: "delivered"
        case .acknowledged: "acknowledged"
        case .ended: "ended"
        }
    }

    /// How the login ended; nil for the other stages.
    package var end: StageCount.End? { if case .ended(let end) = self { end } else { nil } }
}

extension StageCount.End {
    package static let all: [Self] =
        [.completed, .evicted] + LoginStage.allCases.map { .timeout(at: $0) }
        + Reason.allCases.filter { $0 != .timeout }.map { .reason($0) }

    /// The name in metrics.
    package var name: String {
        switch self {
        case .completed: "completed"
        case .evicted: "evicted"
        case .timeout(let stage): "\(Reason.timeout.rawValue)_\(stage.rawValue)"
        case .reason(let reason): reason.rawValue
        }
    }
}

extension Login {
    /// The stages of a login that was stored just now.
    var stagesOfCreation: [StageCount.Stage] { self.attempts.isEmpty ? [.created] : [.created, .opened] }

    /// Returns the stages that the login has reached since `before`, which is what the row said. `wasDelivered` tells
    /// whether the app was sent the result; it is asked only when the result's time is over.
    func stages(since before: Login, at now: Timestamp, wasDelivered: () -> Bool) -> [StageCount.Stage] {
        switch before.state {
        case .pending, .exchanging, .awaitingReturn: break
        case .completed: return self.stagesOfResult(wasDelivered)
        case .failed, .cancelled, .expired, .gone: return []
        }
        var stages: [StageCount.Stage] = []
        if before.state == .pending, before.attempts.isEmpty, !self.attempts.isEmpty { stages.append(.opened) }
        if !before.hasResponse, self.hasResponse { stages.append(.callback) }
        if !before.hasTokens, self.hasTokens { stages.append(.exchanged) }
        if case .completed = self.state { stages.append(.proven) }
        if !self.isOpen { stages.append(.ended(self.end(of: before, at: now))) }
        return stages
    }

    /// The row of a completed login does not know whether the app was sent the result, because that is no change of it.
    /// An acknowledgement shows it.
    private func stagesOfResult(_ wasDelivered: () -> Bool) -> [StageCount.Stage] {
        guard case .gone(let status, _) = self.state else { return [] }
        if status == .delivered { return [.delivered, .acknowledged] }
        return wasDelivered() ? [.delivered] : []
    }

    /// Whether the login has taken a response, now or before it gave one back that was another login's.
    private var hasResponse: Bool { self.acceptedResponse != nil || self.wasAnswered }

    private var hasTokens: Bool {
        switch self.state {
        case .exchanging(let exchange): exchange.tokenResponse != nil || self.wasRedeemed
        case .awaitingReturn, .completed: true
        case .pending, .failed, .cancelled, .expired, .gone: self.wasRedeemed
        }
    }

    /// How this login, which is final, ended from `before`. One that lay for long may be a tombstone already.
    private func end(of before: Login, at now: Timestamp) -> StageCount.End {
        switch self.state {
        case .completed: return .completed
        case .gone where now < before.lapsesAt: return .evicted
        case .pending, .exchanging, .awaitingReturn, .failed, .cancelled, .expired, .gone: break
        }
        guard let reason = self.reason, reason != .timeout else {
            return .timeout(at: LoginStage(before) ?? .neverOpened)
        }
        return .reason(reason)
    }
}
