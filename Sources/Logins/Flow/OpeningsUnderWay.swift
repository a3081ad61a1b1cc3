/// The openings whose trips this process walks, or whose exchanges it sees through: a store that was away for long lets no
/// second one begin beside the first.
import Synchronization

final class OpeningsUnderWay: Sendable {
    private let openings = Mutex<Set<[UInt8]>>([])

    func contains(_ opening: [UInt8]) -> Bool { self.openings.withLock { $0.contains(opening) } }

    /// False when it is under way already.
    func begin(_ opening: [UInt8]) -> Bool { self.openings.withLock { $0.insert(opening).inserted } }

    func end(_ opening: [UInt8]) { self.openings.withLock { _ = $0.remove(opening) } }
}
