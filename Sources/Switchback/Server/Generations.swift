/// The present generation, and former ones while a login lives that began under them.
import Logins
import Synchronization

final class Generations: Sendable {
    /// The oldest first, never empty.
    private let list: Mutex<[Generation]>

    init(_ first: Generation) { self.list = Mutex([first]) }

    var current: Generation {
        guard let last = self.all.last else { preconditionFailure("the last generation is never taken out") }
        return last
    }

    var all: [Generation] { self.list.withLock { $0 } }

    func append(_ generation: Generation) { self.list.withLock { $0.append(generation) } }

    /// Takes out those with these rules.
    func remove(_ rules: [LoginRules]) -> [Generation] {
        self.list.withLock { list in
            let isOver = { (generation: Generation) in rules.contains { $0 === generation.rules } }
            defer { list.removeAll(where: isOver) }
            return list.filter(isOver)
        }
    }
}
