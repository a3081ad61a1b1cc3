/// Takes up what another process, or this one before it was started again, has left: exchanges and trips.
import Brokers

extension LoginFlow {
    /// How long after the callback this login's code may be sent again.
    func codeLifetime(of login: Login) -> Duration {
        self.book.rules(of: login).providers[login.provider]?.provider.codeLifetime ?? .zero
    }

    /// Does what the transition answered. Where the broker is not configured any more, time ends the login.
    func goOn(_ recovered: Changed<Login.Recovery>) {
        let (login, key) = (recovered.login, recovered.key)
        switch recovered.action {
        case .nothing:
            break
        case .ended:
            self.observe(LoginEvent(.exchangeFailed(BrokerFailure(.notAsked, "interrupted")), login))
        case .exchange(let exchange):
            guard let broker = self.book.rules(of: login).brokers[login.broker],
                self.begin(exchange, of: login, key, with: broker)
            else { break }
            self.observe(LoginEvent(.takenOver(exchange.answer == nil ? .code : .tokenAnswer), login))
        case .walk(let openings):
            for opening in openings {
                guard let trip = self.flight(of: opening.id, opening.flight, login.id, key)?.trip else { continue }
                if self.follow(trip, of: opening.id, login) {
                    self.observe(LoginEvent(.takenOver(.backchannel), login))
                }
            }
        }
    }
}
