// How an authorization response changes a login. A login takes only one.

import Base
import Brokers

extension Login {
    enum CallbackAction: Equatable, Sendable {
        /// Redeem the code. Exactly one caller gets this action.
        case exchange(Exchange)
        /// The login ended with this response.
        case ended
        /// This attempt failed. The login continues, because another attempt may still succeed.
        case elsewhere
        /// The response was taken before, or came too late. Show the login's status to the browser that delivered this
        /// response.
        case show
        /// The login took a different response. This one gets no page and has no effect.
        case ignore
    }

    /// Takes the response `answer` to the attempt `attempt`. `hash` recognises the response. `pageCode` is what a
    /// tombstone would have kept of it, and `sealing` encrypts its code.
    mutating func acceptCallback(
        _ answer: AuthorizationResult, to attempt: [UInt8], hash: [UInt8], byApp: Bool, hasCookie: Bool,
        by holder: String, pageCode: () -> [UInt8], at now: Timestamp, sealing: (Secret) -> [UInt8]
    ) -> CallbackAction {
        if let response = self.acceptedResponse {
            let same = equalInConstantTime(response.hash, hash) && equalInConstantTime(response.attempt, attempt)
            // A browser may have delivered it first, if the link did not open the app. The app's copy proves just as
            // much.
            if same, byApp, self.isOpen { self.acceptedResponse?.isByApp = true }
            if same, hasCookie, !response.isShared, self.isOpen { self.acceptedResponse?.hasCookie = true }
            return same ? .show : .ignore
        }
        switch self.state {
        case .pending:
            guard let liveAttempt = self.attempts.first(where: { $0.id == attempt }) else { return .ignore }
            if case .denied(let failure) = answer, self.drop(attempt, because: failure.reason) { return .elsewhere }
            self.acceptedResponse = AcceptedResponse(
                attempt: attempt, hash: hash, isByApp: byApp, hasCookie: hasCookie && !liveAttempt.isShared,
                isShared: liveAttempt.isShared)
            self.isBrowserGone = false
            switch answer {
            case .granted(let code):
                return .exchange(self.exchange(liveAttempt, code: sealing(code), by: holder, at: now))
            case .denied(let failure):
                self.deny(failure.reason, at: now)
                return .ended
            case .landed:
                // We poll the broker for the rest. From now on we know which browser may see the page.
                return .show
            }
        case .cancelled, .expired:
            // Too late. We remember the response, so that this browser sees the same page after a reload.
            self.acceptedResponse = AcceptedResponse(attempt: attempt, hash: hash)
            return .show
        case .gone where !self.pageCode.isEmpty:
            return equalInConstantTime(self.pageCode, pageCode()) ? .show : .ignore
        case .exchanging, .awaitingReturn, .completed, .failed, .gone:
            return .ignore
        }
    }

    /// Moves to `exchanging`, with a code or with the token response itself.
    mutating func exchange(
        _ liveAttempt: AuthorizationAttempt, code: [UInt8], answer: [UInt8]? = nil, by holder: String, at now: Timestamp
    ) -> Exchange {
        let exchange = Exchange(
            attempt: liveAttempt.id, openedAt: liveAttempt.openedAt, acceptedAt: now, fencingToken: 1,
            leaseUntil: now + Login.leaseDuration, holder: holder, inFlight: liveAttempt.inFlight, code: code,
            tokenResponse: answer)
        self.state = .exchanging(exchange)
        // No other attempt can win now. We still keep them until the end, because this response may belong to another
        // login.
        self.attempts.removeAll { $0.id == liveAttempt.id }
        self.resume = []
        self.hint = nil
        self.version += 1
        return exchange
    }

    /// Removes a failed attempt if the login can still succeed with another one. If the user cancelled, all attempts
    /// end. An error in a forgotten tab must not end the login in the tab that the user works in.
    mutating func drop(_ attempt: [UInt8], because reason: Reason) -> Bool {
        guard reason != .userCancelled, self.acceptedResponse == nil, self.attempts.count > 1 else { return false }
        self.attempts.removeAll { $0.id == attempt }
        return true
    }

    mutating func deny(_ reason: Reason, at now: Timestamp) {
        let keepUntil = self.keepUntil(from: now)
        switch reason {
        case .userCancelled, .appCancelled:
            self.end(in: .cancelled(reason, keepUntil: keepUntil))
        case .timeout, .brokerError, .brokerUnavailable, .invalidResponse, .invalidToken, .notFresh,
            .assuranceTooLow, .interrupted:
            self.end(in: .failed(reason, keepUntil: keepUntil))
        }
    }
}
