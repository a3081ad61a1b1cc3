import EndToEndSupport
import Synchronization

/// Retries requests as `SwitchbackClient` does after a broken connection, a 429 and a 5xx, but sooner, so that the load
/// does not fall.
final class SoakPatience: Sendable {
    struct Exhausted: Error, CustomStringConvertible {
        let description: String
    }

    private let random: SoakRandom
    private let limit: Duration
    private let troubles = Mutex<[String: Int]>([:])

    init(_ random: SoakRandom, limit: Duration = .seconds(120)) {
        self.random = random
        self.limit = limit
    }

    /// How many requests had to be repeated, by cause: a status, or a connection that was refused or broken.
    var met: [String: Int] { self.troubles.withLock { $0 } }

    /// Sends a request until it gets a response that is neither 429 nor 5xx. `who` is the app or the browser.
    func ask(_ who: String, _ send: @Sendable () async throws -> Answer) async throws -> Answer {
        let deadline = ContinuousClock.now + self.limit
        var last = "nothing"
        while ContinuousClock.now < deadline {
            do {
                let answer = try await send()
                guard answer.status >= 500 || answer.status == 429 else { return answer }
                last = "\(answer.status)"
                self.count("\(who): \(answer.status)")
            } catch {
                last = "\(error)"
                self.count("\(who): no answer")
            }
            try await Task.sleep(for: self.random.milliseconds(20...120))
        }
        throw Exhausted(description: "\(who) gives up: \(last)")
    }

    private func count(_ trouble: String) { self.troubles.withLock { $0[trouble, default: 0] += 1 } }
}
