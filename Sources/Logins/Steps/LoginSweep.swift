/// Applies to stored logins, in batches, what is due by time. It also resumes code exchanges and backchannel
/// transactions that a process left when it stopped, be it another process or an earlier run of this one.
import Brokers

final class LoginSweep: Sendable {
    private let repository: LoginRepository
    private let exchange: CodeExchange
    private let polling: BrokerPolling

    init(_ repository: LoginRepository, _ exchange: CodeExchange, _ polling: BrokerPolling) {
        self.repository = repository
        self.exchange = exchange
        self.polling = polling
    }

    /// Processes up to `limit` logins that are due: it expires them, wipes them, removes them or resumes their
    /// unfinished work. Returns how many were due.
    func sweep(limit: Int) async throws(LoginFlowError) -> Int {
        let swept = try await self.repository.sweep(limit: limit) { login, rules, now in
            login.recover(
                codeLifetime: rules.codeLifetime(of: login), isHeld: self.exchange.isRunning(login), at: now)
        }
        for recovered in swept.changed { self.recover(recovered) }
        return swept.due
    }

    /// Resumes what an earlier process has left, if the store knows that it has ended. Without this, its leases would
    /// have to run out first.
    func takeOver() async throws(LoginFlowError) {
        for abandoned in self.repository.takeAbandoned() {
            let codeLifetime = abandoned.configuration.codeLifetime(of: abandoned.login)
            let recovered = try await self.repository.change(abandoned) { login, _ in
                // After a conflict, a request of ours has changed it.
                guard login.revision == abandoned.login.revision else { return Login.Recovery.nothing }
                return login.recover(codeLifetime: codeLifetime, isAbandoned: true, at: self.repository.now())
            }
            if let recovered { self.recover(recovered) }
        }
    }

    /// Performs the action of the transition. If the broker is no longer configured, the login expires.
    private func recover(_ recovered: LoginRepository.ChangeResult<Login.Recovery>) {
        let login = recovered.snapshot
        switch recovered.action {
        case .nothing:
            break
        case .ended:
            self.repository.emit(.exchangeFailed(BrokerError(.notAsked, "interrupted")), of: login)
        case .exchange(let exchange):
            guard let broker = login.broker, self.exchange.start(exchange, of: login, with: broker) else { break }
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

extension LoginConfiguration {
    /// How long after the callback this login's code may be sent again.
    fileprivate func codeLifetime(of login: Login) -> Duration {
        self.providers[login.provider]?.provider.codeLifetime ?? .zero
    }
}
