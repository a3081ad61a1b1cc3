/// Measures how long one request to a broker waits in our own queue.
import OpenIDConnect
import Synchronization

final class BrokerTurn: Sendable {
    private let turn: FetchTurn?
    private let addedAt = ContinuousClock.now
    private let begunAt = Mutex<ContinuousClock.Instant?>(nil)

    /// Begins the wait.
    init(_ turn: FetchTurn?) {
        self.turn = turn
        turn?.begin()
    }

    var caller: [UInt8] { self.turn?.caller ?? [] }

    /// Ends the wait: its turn has come, or its caller has given up. Returns the time waited; only the first call
    /// counts.
    @discardableResult
    func begins() -> Duration {
        let (at, isFirst) = self.begunAt.withLock { begunAt -> (ContinuousClock.Instant, Bool) in
            if let begunAt { return (begunAt, false) }
            let now = ContinuousClock.now
            begunAt = now
            return (now, true)
        }
        if isFirst { self.turn?.end() }
        return self.addedAt.duration(to: at)
    }

    var sinceItsTurn: Duration { self.begunAt.withLock { $0?.duration(to: .now) ?? .zero } }
}
