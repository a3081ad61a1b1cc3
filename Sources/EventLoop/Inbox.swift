import Synchronization

/// Work that other threads want done on a loop, in the order they asked.
///
/// Only a `put` into an empty inbox has to wake the loop, so a burst costs one wake-up.
package final class Inbox<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    package init() {}

    /// Returns true if the inbox was empty. Then the caller must wake the loop.
    package func put(_ element: Element) -> Bool {
        self.elements.withLock {
            $0.append(element)
            return $0.count == 1
        }
    }

    var isEmpty: Bool { self.elements.withLock { $0.isEmpty } }

    /// Takes everything. The caller must now do it.
    package func takeAll() -> [Element] {
        self.elements.withLock { elements in
            guard !elements.isEmpty else { return [] }
            let result = elements
            elements = []
            return result
        }
    }
}
