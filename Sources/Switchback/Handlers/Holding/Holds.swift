/// Whether requests may be held: yes, until we are about to stop.
import Synchronization

final class Holds: Sendable {
    private let allowed = Atomic(true)

    var areAllowed: Bool { self.allowed.load(ordering: .relaxed) }

    func stop() { self.allowed.store(false, ordering: .relaxed) }
}
