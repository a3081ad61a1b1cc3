/// The openings whose trips this process walks: a store that was away for long lets no second walk begin beside the first.
import Synchronization

final class WalkedOpenings: Sendable {
    private let openings = Mutex<Set<[UInt8]>>([])

    /// False when it is walked already.
    func begin(_ opening: [UInt8]) -> Bool { self.openings.withLock { $0.insert(opening).inserted } }

    func end(_ opening: [UInt8]) { self.openings.withLock { _ = $0.remove(opening) } }
}
