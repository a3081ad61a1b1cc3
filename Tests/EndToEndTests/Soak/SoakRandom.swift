/// Chance that can be had again: the same seed gives the same numbers (SplitMix64).
import Synchronization

final class SoakRandom: Sendable {
    private let state: Mutex<UInt64>

    init(seed: UInt64) { self.state = Mutex(seed) }

    func next() -> UInt64 {
        self.state.withLock { state in
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }

    func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(self.next() % UInt64(range.count))
    }

    func milliseconds(_ range: ClosedRange<Int>) -> Duration { .milliseconds(self.number(in: range)) }
}
