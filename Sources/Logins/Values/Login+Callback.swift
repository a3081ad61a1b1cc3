/// What a broker's answer does to a login. It is taken once.
import Base

extension Login {
    enum CallbackAction: Equatable, Sendable {
        /// Redeem the code. Exactly one caller gets this.
        case exchange(Exchange)
        /// The login ended with this answer.
        case ended
        /// This opening came to nothing. The login goes on, for another may still be answered.
        case elsewhere
        /// It was there before, or came too late: show how it stands, to whoever brought this very response.
        case show
        /// Another response than the one that was taken: it gets neither page nor effect.
        case ignore
    }

    /// The browser is back with an answer to `opening`; `hash` recognises the response.
    mutating func takeCallback(
        _ answer: SealedJudgement, to opening: [UInt8], hash: [UInt8], byApp: Bool = false, hasCookie: Bool = false,
        at now: Timestamp
    ) -> CallbackAction {
        if let taken = self.taken {
            let same = equalInConstantTime(taken.hash, hash) && equalInConstantTime(taken.opening, opening)
            // A browser had it first, where the link did not open the app: that the app has it too says as much.
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
            // Too late. Remembered, so that this browser can be told so again when it reloads.
            self.taken = TakenResponse(opening: opening, hash: hash)
            return .show
        case .exchanging, .awaitingReturn, .completed, .failed, .gone:
            return .ignore
        }
    }

    /// Takes a code, or the token answer itself.
    mutating func exchange(
        _ opened: Opening, code: [UInt8], answer: [UInt8]? = nil, at now: Timestamp
    ) -> Exchange {
        let exchange = Exchange(
            opening: opened.id, openedAt: opened.openedAt, takenAt: now, fence: 1, leaseUntil: now + Login.lease,
            flight: opened.flight, code: code, answer: answer)
        self.state = .exchanging(exchange)
        // The others cannot win now. They are kept until the end, because this answer may turn out to be another login's.
        self.openings.removeAll { $0.id == opened.id }
        self.resume = []
        self.hint = nil
        self.version += 1
        return exchange
    }

    /// Forgets an opening that came to nothing, if the login can still succeed with another. The person's own no ends
    /// all of them. The error of a tab that was left open must not end the login in the tab that is used.
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
