/// How an authorization response changes a login. A login takes only one.
import Base

extension Login {
    enum CallbackAction: Equatable, Sendable {
        /// Redeem the code. Exactly one caller gets this action.
        case exchange(Exchange)
        /// The login ended with this response.
        case ended
        /// This attempt failed. The login continues, because another attempt may still succeed.
        case elsewhere
        /// The response was taken before, or came too late. Show the login's status to the browser that brought this
        /// response.
        case show
        /// The login took a different response. This one gets no page and has no effect.
        case ignore
    }

    /// Takes the response `answer` to the attempt `opening`. `hash` recognises the response.
    mutating func takeCallback(
        _ answer: SealedJudgement, to opening: [UInt8], hash: [UInt8], byApp: Bool = false, hasCookie: Bool = false,
        at now: Timestamp
    ) -> CallbackAction {
        if let taken = self.taken {
            let same = equalInConstantTime(taken.hash, hash) && equalInConstantTime(taken.opening, opening)
            // A browser may have brought it first, if the link did not open the app. The app's copy proves just as
            // much.
            if same, byApp, self.isOpen { self.taken?.isByApp = true }
            if same, hasCookie, !taken.isShared, self.isOpen { self.taken?.hasCookie = true }
            return same ? .show : .ignore
        }
        switch self.state {
        case .pending:
            guard let opened = self.openings.first(where: { $0.id == opening }) else { return .ignore }
            if case .denied(let reason) = answer, self.drop(opening, because: reason) { return .elsewhere }
            self.taken = TakenResponse(
                opening: opening, hash: hash, isByApp: byApp, hasCookie: hasCookie && !opened.isShared,
                isShared: opened.isShared)
            self.isBrowserGone = false
            switch answer {
            case .granted(let code):
                return .exchange(self.exchange(opened, code: code, at: now))
            case .denied(let reason):
                self.deny(reason, at: now)
                return .ended
            case .landed:
                return .show
            }
        case .cancelled, .expired:
            // Too late. We remember the response, so that this browser sees the same page after a reload.
            self.taken = TakenResponse(opening: opening, hash: hash)
            return .show
        case .exchanging, .awaitingReturn, .completed, .failed, .gone:
            return .ignore
        }
    }

    /// Moves to `exchanging`, with a code or with the token response itself.
    mutating func exchange(
        _ opened: Opening, code: [UInt8], answer: [UInt8]? = nil, at now: Timestamp
    ) -> Exchange {
        let exchange = Exchange(
            opening: opened.id, openedAt: opened.openedAt, takenAt: now, fence: 1, leaseUntil: now + Login.lease,
            flight: opened.flight, code: code, answer: answer)
        self.state = .exchanging(exchange)
        // No other attempt can win now. We still keep them until the end, because this response may belong to another
        // login.
        self.openings.removeAll { $0.id == opened.id }
        self.resume = []
        self.hint = nil
        self.version += 1
        return exchange
    }

    /// Removes a failed attempt if the login can still succeed with another one. If the user cancelled, all attempts
    /// end. An error in a forgotten tab must not end the login in the tab that the user works in.
    mutating func drop(_ opening: [UInt8], because reason: Reason) -> Bool {
        guard reason != .userCancelled, self.taken == nil, self.openings.count > 1 else { return false }
        self.openings.removeAll { $0.id == opening }
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
