/// What other threads want done on a loop, in the order they asked.
///
/// `put` says when the loop must be woken: only the first one into an empty inbox has to, so a burst costs one wake-up.

import Synchronization

package final class Inbox<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    package init() {}

    /// True when it was empty, so that somebody has to wake the loop.
    package func put(_ element: Element) -> Bool {
        self.elements.withLock {
            $0.append(element)
            return $0.count == 1
        }
    }

    var isEmpty: Bool { self.elements.withLock { $0.isEmpty } }

    /// Everything in it, which the caller now has to do.
    package func takeAll() -> [Element] {
        self.elements.withLock { elements in
            guard !elements.isEmpty else { return [] }
            let taken = elements
            elements = []
            return taken
        }
    }
}
