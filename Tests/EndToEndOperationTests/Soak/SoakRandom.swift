import Synchronization
import TestSupport

/// Random numbers from a seed, for tasks that run at once.
final class SoakRandom: Sendable {
    private let generator: Mutex<SplitMix64>

    init(seed: UInt64) { self.generator = Mutex(SplitMix64(seed: seed)) }

    func number(in range: ClosedRange<Int>) -> Int {
        self.generator.withLock { Int.random(in: range, using: &$0) }
    }

    func milliseconds(_ range: ClosedRange<Int>) -> Duration { .milliseconds(self.number(in: range)) }
}
