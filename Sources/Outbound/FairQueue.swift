import DequeModule

/// A queue with one line for each caller. Lines take turns, so a caller that sends many delays only itself.
///
/// It is bounded. When it is full, the newest element of the longest line makes room for a caller with a shorter line.
struct FairQueue<Element> {
    /// What happens to an element that is added.
    enum AddResult {
        case waits
        /// It replaces this one.
        case insteadOf(Element)
        case full
    }

    private let limit: Int
    private var callerQueues: [[UInt8]: Deque<Element>] = [:]
    /// The callers that have a line. The next to be served comes first.
    private var turns = Deque<[UInt8]>()
    private(set) var count = 0

    init(limit: Int) { self.limit = limit }

    mutating func add(_ element: Element, of caller: [UInt8]) -> AddResult {
        guard self.count >= self.limit else {
            self.append(element, of: caller)
            return .waits
        }
        let own = self.callerQueues[caller]?.count ?? 0
        guard let longest = self.callerQueues.max(by: { $0.value.count < $1.value.count }),
            longest.value.count > own + 1,
            let last = self.removeLast(of: longest.key)
        else { return .full }
        self.append(element, of: caller)
        return .insteadOf(last)
    }

    /// Returns the first element of the caller whose turn it is.
    mutating func next() -> Element? {
        guard let caller = self.turns.popFirst(), var line = self.callerQueues.removeValue(forKey: caller),
            let element = line.popFirst()
        else { return nil }
        self.count -= 1
        if !line.isEmpty {
            self.callerQueues[caller] = line
            self.turns.append(caller)
        }
        return element
    }

    /// Takes an element out of its line. Returns false when it does not wait.
    mutating func remove(of caller: [UInt8], where isWanted: (Element) -> Bool) -> Bool {
        guard let index = self.callerQueues[caller]?.firstIndex(where: isWanted) else { return false }
        self.callerQueues[caller]?.remove(at: index)
        self.count -= 1
        self.dropLine(of: caller)
        return true
    }

    private mutating func append(_ element: Element, of caller: [UInt8]) {
        if self.callerQueues[caller] == nil { self.turns.append(caller) }
        self.callerQueues[caller, default: []].append(element)
        self.count += 1
    }

    private mutating func removeLast(of caller: [UInt8]) -> Element? {
        guard let last = self.callerQueues[caller]?.popLast() else { return nil }
        self.count -= 1
        self.dropLine(of: caller)
        return last
    }

    /// Drops the caller's line and turn when no element is left.
    private mutating func dropLine(of caller: [UInt8]) {
        guard self.callerQueues[caller]?.isEmpty ?? false else { return }
        self.callerQueues[caller] = nil
        self.turns.removeAll { $0 == caller }
    }
}
