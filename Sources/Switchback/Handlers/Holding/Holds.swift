/// Whether requests may be held: yes, until we are about to stop. Then they are answered, but not all at the same moment.
import Synchronization

final class Holds: Sendable {
    private let allowed = Atomic(true)
    /// The milliseconds over which those that are held when we stop are answered.
    private let spread = Atomic(0)

    var areAllowed: Bool { self.allowed.load(ordering: .relaxed) }

    /// So many are held now: a tenth of a millisecond for each, two seconds at most.
    func stop(held: Int) {
        self.spread.store(min(held / 10, 2000), ordering: .relaxed)
        self.allowed.store(false, ordering: .relaxed)
    }

    /// After how long one of them is answered.
    var pause: Duration { .milliseconds(Int.random(in: 0...self.spread.load(ordering: .relaxed))) }

    /// The milliseconds to let pass before asking again, elsewhere: by chance, so that not all who were sent away come
    /// back in the same moment. None while requests are held.
    var pauseForClients: Int {
        self.areAllowed ? 0 : Int.random(in: 1...max(500, self.spread.load(ordering: .relaxed)))
    }
}
