import JOSE
import Synchronization

/// Tells which keys of a provider's set cannot be used, once for each list.
final class UnusableKeyReport: Sendable {
    private let last = Mutex<[UnusableKey]>([])
    private let tell: @Sendable ([UnusableKey]) -> Void

    init(tell: @escaping @Sendable ([UnusableKey]) -> Void) { self.tell = tell }

    /// Leaves out keys of a kind that we do not use, because they are no mistake.
    func note(_ keys: [SkippedKey]) {
        let wrong = keys.filter { $0.error != .unsupported }.map(UnusableKey.init)
        let isNew = self.last.withLock { last in
            defer { last = wrong }
            return last != wrong
        }
        if isNew, !wrong.isEmpty { self.tell(wrong) }
    }
}

/// A key of a provider's set that we cannot use, for the log.
package struct UnusableKey: Equatable, Sendable {
    /// Its `kid`, or its place in the set; the first is 1.
    package let name: String
    /// A word in snake_case.
    package let cause: String

    init(_ key: SkippedKey) {
        self.name = key.keyID ?? String(key.position)
        self.cause = key.error.word
    }
}
