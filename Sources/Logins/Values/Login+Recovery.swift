// Recovery of a login whose holder was killed. Another process takes over and sends the code at most once more.

import Base

extension Login {
    /// What is known of the process that held a login's work.
    enum HolderState: Equatable, Sendable {
        /// Only the lease tells.
        case unknown
        /// It is this process, which just could not write its result.
        case present
        /// It has certainly ended, so no lease need run out.
        case ended
        /// If it has one of these names, it has lost every session with the store: almost certainly it has ended. A
        /// success need not wait for its lease, but a failure does, because it may live and be about to succeed.
        case lost(Set<String>)

        fileprivate func isLost(_ name: String) -> Bool {
            guard case .lost(let names) = self else { return false }
            return !name.isEmpty && names.contains(name)
        }
    }

    enum Recovery: Equatable, Sendable {
        /// There is nothing to recover.
        case nothing
        /// Continue with this exchange. Exactly one caller gets this action.
        case exchange(Exchange)
        /// Continue with the backchannel transactions of these attempts.
        case poll([AuthorizationAttempt])
        /// The login cannot succeed any more.
        case ended
    }

    /// Decides how to continue. An exchange continues from the stored token response, or with the code while it may
    /// still be valid: a broker that sees a used code again may revoke the tokens it issued for it (RFC 6749 §4.1.2).
    mutating func recover(
        codeLifetime: Duration, from holder: HolderState = .unknown, by successor: String = "", at now: Timestamp
    ) -> Recovery {
        let hasEnded = holder == .ended
        switch self.state {
        case .pending:
            let abandonedAttempts = self.attempts.filter { $0.pollLeaseUntil.map { hasEnded || $0 <= now } ?? false }
            for attempt in abandonedAttempts { self.renewPollLease(attempt.id, until: now + Login.leaseDuration) }
            return abandonedAttempts.isEmpty ? .nothing : .poll(abandonedAttempts)
        case .exchanging(let exchange):
            let isLost = holder.isLost(exchange.holder)
            guard hasEnded || isLost || now >= exchange.leaseUntil else { return .nothing }
            if holder == .present {
                self.state = .exchanging(exchange.extended(until: now + Login.leaseDuration))
                return .nothing
            }
            guard exchange.canContinue(codeLifetime: codeLifetime, at: now) else {
                // The holder may still succeed until its lease has run out.
                guard !isLost || now >= exchange.leaseUntil else { return .nothing }
                self.end(in: .failed(.interrupted, keepUntil: self.keepUntil(from: now)))
                return .ended
            }
            let next = exchange.handedOver(to: successor, until: now + Login.leaseDuration)
            self.state = .exchanging(next)
            return .exchange(next)
        case .awaitingReturn, .completed, .failed, .cancelled, .expired, .gone:
            return .nothing
        }
    }

    /// Whether the code may have been sent more than once.
    var hasRepeatedCode: Bool {
        guard case .exchanging(let exchange) = self.state else { return false }
        return exchange.tries > 1
    }

    /// Sets the lease of the process that polls for this attempt.
    mutating func renewPollLease(_ attempt: [UInt8], until: Timestamp) {
        for index in self.attempts.indices where self.attempts[index].id == attempt {
            self.attempts[index].pollLeaseUntil = until
        }
    }

    /// Extends the lease, but writes only when a renewal is due.
    mutating func renewPollLeaseIfNeeded(_ attempt: [UInt8], at now: Timestamp) {
        let until = self.attempts.first { $0.id == attempt }?.pollLeaseUntil
        guard let until, until - now <= Login.leaseDuration - Login.renewal else { return }
        self.renewPollLease(attempt, until: now + Login.leaseDuration)
    }
}

extension Login.Exchange {
    /// A broker may take a repeated code for an attack, and a third try would tell us nothing new.
    private static let maxTries = 2
    /// Limits the takeovers: whatever killed one process may kill each process that takes over.
    private static let maxHolders = 8

    var canBeTried: Bool { self.tokenResponse == nil && self.tries < Self.maxTries }

    fileprivate func canContinue(codeLifetime: Duration, at now: Timestamp) -> Bool {
        guard self.fencingToken < Self.maxHolders else { return false }
        return self.tokenResponse != nil || (self.canBeTried && now - self.acceptedAt < codeLifetime)
    }

    /// Extends the exchange for the same holder by a lease. The code is used up and must not be sent again, unless it
    /// still waits for its turn.
    fileprivate func extended(until: Timestamp) -> Login.Exchange {
        var exchange = self
        exchange.tries = self.tries == 0 ? 0 : Self.maxTries
        exchange.leaseUntil = until
        return exchange
    }

    /// Hands the exchange to the next holder. Failures of the previous holder no longer count.
    fileprivate func handedOver(to holder: String, until: Timestamp) -> Login.Exchange {
        var exchange = self
        exchange.fencingToken += 1
        exchange.holder = holder
        exchange.leaseUntil = until
        return exchange
    }
}
