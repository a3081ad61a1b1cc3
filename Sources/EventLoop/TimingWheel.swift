/// Elements that become due, in slots of a tenth of a second: adding, cancelling and expiring cost the same however
/// many wait.
///
/// It is a value without a clock: callers pass the time, in milliseconds since some fixed time. Nothing is due early,
/// and what is due is found at most one `tick` later. An element further ahead than the wheel is long stays in its slot
/// for another turn. Cancelling frees the element at once and leaves eight bytes in the slot. The wheel recognises them
/// as stale by their generation when it comes by, or sweeps them when there are many.
package struct TimingWheel<Element> {
    /// Names one element. It is worthless once the element has expired or was cancelled.
    package typealias Token = SlotMap<Element>.Token

    package let tick: Int64
    /// Elements that wait, or have expired but were not taken yet.
    package private(set) var count = 0
    private var elements = SlotMap<Element>()
    /// By slot of the element: the tick since the wheel began. It is small because thousands wait; it is enough for 13
    /// years.
    private var dueTicks: [UInt32] = []
    private var slots: [[Token]]
    private var expired: [Token] = []
    private var takenCount = 0
    private var stale = 0
    private let start: Int64
    private var current: Int64

    package init(slots: Int = 1024, tick: Int64 = 100, now: Int64) {
        self.tick = max(tick, 1)
        self.slots = Array(repeating: [], count: max(slots, 1))
        self.start = max(now, 0) / self.tick
        self.current = self.start
    }

    package var isEmpty: Bool { self.count == 0 }

    package mutating func add(_ element: Element, due: Int64) -> Token {
        // Rounded up, so that nothing is due early. An element that is already due waits for the next tick.
        let due = max(due / self.tick, self.current) + 1
        let token = self.occupy(due: due, element)
        self.slots[self.slot(of: due)].append(token)
        self.count += 1
        return token
    }

    /// Returns false if there was nothing left to cancel.
    @discardableResult
    package mutating func cancel(_ token: Token) -> Bool {
        guard self.release(token) != nil else { return false }
        self.stale += 1
        if self.stale > self.count + 4096 { self.sweep() }
        return true
    }

    /// Moves the wheel to `now`. Afterwards `next` returns what became due, in that order.
    package mutating func advance(to now: Int64) {
        let target = now / self.tick
        guard target > self.current else { return }
        // After a long sleep, look at each slot once, not once per missed turn.
        let steps = min(target - self.current, Int64(self.slots.count))
        for due in (target - steps + 1)...target { self.expire(self.slot(of: due), at: target) }
        self.current = target
    }

    /// Returns the next element that is due and was not cancelled since.
    package mutating func next() -> Element? {
        while self.takenCount < self.expired.count {
            let token = self.expired[self.takenCount]
            self.takenCount += 1
            if let element = self.release(token) { return element }
            self.stale -= 1
        }
        if self.takenCount > 0 {
            self.expired.removeAll(keepingCapacity: self.takenCount < 1024)
            self.takenCount = 0
        }
        return nil
    }

    private func ticks(until due: Int64) -> UInt32 { UInt32(clamping: due - self.start) }

    private func slot(of due: Int64) -> Int { Int(due % Int64(self.slots.count)) }

    private mutating func expire(_ slot: Int, at now: Int64) {
        guard !self.slots[slot].isEmpty else { return }
        var later: [Token] = []
        for token in self.slots[slot] {
            if !self.elements.contains(token) {
                self.stale -= 1
            } else if self.dueTicks[Int(token.slot)] <= self.ticks(until: now) {
                self.expired.append(token)
            } else {
                later.append(token)
            }
        }
        self.slots[slot] = later
    }

    private mutating func occupy(due: Int64, _ element: Element) -> Token {
        let token = self.elements.insert(element)
        if Int(token.slot) == self.dueTicks.count { self.dueTicks.append(0) }
        self.dueTicks[Int(token.slot)] = self.ticks(until: due)
        return token
    }

    private mutating func release(_ token: Token) -> Element? {
        guard let element = self.elements.remove(token) else { return nil }
        self.count -= 1
        return element
    }

    /// Removes stale entries, so that a caller who schedules and cancels all the time does not fill the memory.
    private mutating func sweep() {
        let elements = self.elements
        let isStale = { (token: Token) in !elements.contains(token) }
        for slot in self.slots.indices { self.slots[slot].removeAll(where: isStale) }
        self.expired.removeSubrange(..<self.takenCount)
        self.expired.removeAll(where: isStale)
        self.takenCount = 0
        self.stale = 0
    }
}
