import Base

/// Values by the id of their login.
///
/// It takes two thirds of a `Dictionary`'s memory. That counts, because each of thousands of logins and waiting
/// requests has an entry in several of these. The entries lie one after another, in arrays that grow by an eighth.
struct LoginDictionary<Value> {
    private var index = LoginIndex()
    /// The value of each position in the index.
    private var values: [Value] = []

    var count: Int { self.values.count }

    /// The number of entries that fit without a new allocation.
    var capacity: Int { self.values.capacity }

    /// Setting nil removes the entry.
    subscript(id: LoginID) -> Value? {
        get { self.index.position(of: id).map { self.values[$0] } }
        set { if let newValue { self.updateValue(newValue, forKey: id) } else { self.removeValue(forKey: id) } }
    }

    func contains(_ id: LoginID) -> Bool { self.index.position(of: id) != nil }

    /// Returns the value that it replaces; nil if the id is new.
    @discardableResult
    mutating func updateValue(_ value: Value, forKey id: LoginID) -> Value? {
        if let position = self.index.position(of: id) {
            let old = self.values[position]
            self.values[position] = value
            return old
        }
        self.index.append(id)
        self.values.appendTightly(value)
        return nil
    }

    /// Returns the removed value; nil if there is none.
    @discardableResult
    mutating func removeValue(forKey id: LoginID) -> Value? {
        guard let position = self.index.remove(id) else { return nil }
        // The last entry takes the place of the removed one, as in the index.
        self.values.swapAt(position, self.values.count - 1)
        let value = self.values.removeLast()
        self.shrinkIfSparse()
        return value
    }

    /// Frees the memory of a flood.
    private mutating func shrinkIfSparse() {
        guard self.values.capacity > 64, self.values.count < self.values.capacity / 8 else { return }
        self.values.tighten()
        self.index.shrink()
    }

    /// The entries in no particular order.
    var all: some Sequence<(id: LoginID, value: Value)> {
        zip(self.index.ids, self.values).lazy.map { (id: $0, value: $1) }
    }
}

/// The ids of logins, each at a position: 0, 1, 2 and so on. Removing one moves the last one to its position.
///
/// A table with open addressing (linear probing) finds a position in four bytes for each slot.
struct LoginIndex {
    /// The slots of the smallest table.
    private static let smallest = 8

    fileprivate private(set) var ids: [LoginID] = []
    /// The position of an id, plus one; zero if the slot is free. Their number is a power of two.
    private var slots: [UInt32] = []
    func position(of id: LoginID) -> Int? {
        self.slot(of: id).map { Int(self.slots[$0]) - 1 }
    }

    /// Adds a new id behind the last one.
    mutating func append(_ id: LoginID) {
        if (self.ids.count + 1) * 4 > self.slots.count * 3 {
            self.makeSlots(max(Self.smallest, 2 * self.slots.count))
        }
        self.ids.appendTightly(id)
        self.occupy(self.ids.count - 1)
    }

    /// Returns the position that the last id takes now; nil if the id is unknown.
    mutating func remove(_ id: LoginID) -> Int? {
        guard let slot = self.slot(of: id) else { return nil }
        let position = Int(self.slots[slot]) - 1
        self.free(slot)
        if let last = self.ids.last, last != id, let slot = self.slot(of: last) {
            self.slots[slot] = UInt32(position + 1)
            self.ids[position] = last
        }
        self.ids.removeLast()
        return position
    }

    /// Keeps only the memory that the ids need now.
    mutating func shrink() {
        self.ids.tighten()
        var count = Self.smallest
        while (self.ids.count + 1) * 4 > count * 3 { count *= 2 }
        self.makeSlots(count)
    }

    /// How many slots a look-up of this id reads.
    func probes(of id: LoginID) -> Int {
        guard !self.slots.isEmpty else { return 0 }
        var (slot, count) = (self.firstSlot(of: id), 1)
        while self.slots[slot] > 0, self.ids[Int(self.slots[slot]) - 1] != id {
            slot = self.slot(after: slot)
            count += 1
        }
        return count
    }

    private func slot(of id: LoginID) -> Int? {
        guard !self.slots.isEmpty else { return nil }
        var slot = self.firstSlot(of: id)
        while self.slots[slot] > 0 {
            if self.ids[Int(self.slots[slot]) - 1] == id { return slot }
            slot = self.slot(after: slot)
        }
        return nil
    }

    private func firstSlot(of id: LoginID) -> Int {
        // The first bits, because the tables of a store share the last ones.
        Int(truncatingIfNeeded: id.tableHash >> UInt64(64 - self.slots.count.trailingZeroBitCount))
    }

    private func slot(after slot: Int) -> Int { (slot + 1) & (self.slots.count - 1) }

    private mutating func occupy(_ position: Int) {
        var slot = self.firstSlot(of: self.ids[position])
        while self.slots[slot] > 0 { slot = self.slot(after: slot) }
        self.slots[slot] = UInt32(position + 1)
    }

    /// Frees a slot, and moves the ids behind it that a search would no longer reach.
    private mutating func free(_ slot: Int) {
        let mask = self.slots.count - 1
        var (gap, next) = (slot, self.slot(after: slot))
        while self.slots[next] > 0 {
            let first = self.firstSlot(of: self.ids[Int(self.slots[next]) - 1])
            if (next - first) & mask >= (next - gap) & mask {
                self.slots[gap] = self.slots[next]
                gap = next
            }
            next = self.slot(after: next)
        }
        self.slots[gap] = 0
    }

    private mutating func makeSlots(_ count: Int) {
        self.slots = Array(repeating: 0, count: count)
        for position in self.ids.indices { self.occupy(position) }
    }
}

extension Array {
    /// Appends an element. If there is no room for it, the array makes some for an eighth more.
    fileprivate mutating func appendTightly(_ element: Element) {
        if self.count == self.capacity { self.reserveCapacity(ArrayGrowth.capacity(above: self.count)) }
        self.append(element)
    }

    /// Frees most of the unused room, because an array never shrinks on its own.
    fileprivate mutating func tighten() {
        var elements: [Element] = []
        elements.reserveCapacity(ArrayGrowth.capacity(above: self.count))
        elements += self
        self = elements
    }
}
