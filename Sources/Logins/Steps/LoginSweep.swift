// How what is due by time is applied to stored logins, in batches. The sweep also resumes code exchanges and
// backchannel transactions that a process left when it stopped, be it another process or an earlier run of this one.

import Brokers

extension LoginFlow {
    /// Processes up to `limit` logins that are due: it expires them, wipes them, removes them or resumes their
    /// unfinished work. Returns how many were due.
    package func sweep(limit: Int = 256) async throws(LoginFlowError) -> Int {
        let report = try await self.repository.sweep(limit: limit) { login, configuration, now in
            login.recover(
                codeLifetime: configuration.codeLifetime(of: login),
                from: self.exchange.isRunning(login) ? .present : .unknown, by: self.repository.processName, at: now)
        }
        for change in report.changes { self.recover(change) }
        return report.due
    }

    /// Resumes what other processes have left, if the store sees that they have ended. Without this, their leases would
    /// have to run out first.
    package func takeOver() async throws(LoginFlowError) {
        let (logins, holder) = try await self.repository.takeAbandoned()
        for snapshot in logins {
            let codeLifetime = snapshot.configuration.codeLifetime(of: snapshot.login)
            let change = try await self.repository.change(snapshot) { login, _ in
                // After a conflict, a request of ours has changed it.
                guard holder != .ended || login.revision == snapshot.login.revision else {
                    return Login.Recovery.nothing
                }
                return login.recover(
                    codeLifetime: codeLifetime, from: holder, by: self.repository.processName,
                    at: self.repository.now())
            }
            guard let change else { continue }
            self.recover(change, from: holder == .ended ? nil : snapshot.login)
        }
    }

    /// Performs the action of the transition. If the broker is no longer configured, the login expires. `before` is the
    /// login of a holder that may still live.
    private func recover(
        _ change: LoginRepository.ChangeResult<Login.Recovery>, from before: Login? = nil
    ) {
        let login = change.snapshot
        switch change.action {
        case .nothing:
            break
        case .ended:
            self.repository.emit(.exchangeFailed(BrokerError(.notAsked, .interrupted)), of: login)
        case .exchange(let exchange):
            guard let broker = login.broker,
                self.exchange.start(exchange, of: login, with: broker, failingFrom: before?.due)
            else { break }
            self.repository.emit(.takenOver(exchange.tokenResponse == nil ? .code : .tokenAnswer), of: login)
        case .poll(let attempts):
            for attempt in attempts {
                guard let transaction = login.inFlight(of: attempt)?.transaction else { continue }
                if self.polling.startPolling(transaction, of: attempt.id, login) {
                    self.repository.emit(.takenOver(.backchannel), of: login)
                }
            }
        }
    }
}
