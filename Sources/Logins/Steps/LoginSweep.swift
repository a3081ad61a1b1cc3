/// Does what time alone does to stored logins, in slices, and takes up what another process, or this one before it was
/// started again, has left: exchanges and trips.
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

    /// Expires, forgets and removes what is due, and goes on with what was left, up to `limit` logins. Returns how many were due.
    func sweep(limit: Int) async throws(LoginFlowError) -> Int {
        let swept = try await self.repository.sweep(limit: limit) { login, rules, now in
            // How long after the callback this login's code may be sent again.
            let codeLifetime = rules.providers[login.provider]?.provider.codeLifetime ?? .zero
            return login.recover(codeLifetime: codeLifetime, isHeld: self.exchange.holds(login), at: now)
        }
        for recovered in swept.changed { self.goOn(recovered) }
        return swept.due
    }

    /// Does what the transition answered. Where the broker is not configured any more, time ends the login.
    private func goOn(_ recovered: LoginRepository.Changed<Login.Recovery>) {
        let login = recovered.snapshot
        switch recovered.action {
        case .nothing:
            break
        case .ended:
            self.repository.tell(.exchangeFailed(BrokerError(.notAsked, "interrupted")), of: login)
        case .exchange(let exchange):
            guard let broker = login.broker, self.exchange.start(exchange, of: login, with: broker) else { break }
            self.repository.tell(.takenOver(exchange.answer == nil ? .code : .tokenAnswer), of: login)
        case .walk(let openings):
            for opening in openings {
                guard let trip = login.flight(of: opening)?.trip else { continue }
                if self.polling.follow(trip, of: opening.id, login) {
                    self.repository.tell(.takenOver(.backchannel), of: login)
                }
            }
        }
    }
}
