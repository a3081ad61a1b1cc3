/// The steps that a change of a login shows, whoever made it.
import Brokers

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
