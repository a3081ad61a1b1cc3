import Base

/// The due times of the rows as a binary heap, the earliest first. The cost of each step grows only with the logarithm
/// of the number of rows.
struct DueTimeQueue<ID> {
    struct Entry {
        let due: Timestamp
        let id: ID
    }

    private static var smallest: Int { 64 }
    private var entries: [Entry] = []

    /// The number of entries that fit without a new allocation.
    var capacity: Int { self.entries.capacity }

    var first: Entry? { self.entries.first }

    mutating func add(_ entry: Entry) {
        var index = self.entries.count
        if index == self.entries.capacity { self.entries.reserveCapacity(ArrayGrowth.capacity(above: index)) }
        self.entries.append(entry)
        while index > 0 {
            let parent = (index - 1) / 2
            guard entry.due < self.entries[parent].due else { break }
            self.entries[index] = self.entries[parent]
            index = parent
        }
        self.entries[index] = entry
    }

    mutating func removeFirst() {
        guard let last = self.entries.popLast(), !self.entries.isEmpty else { return self.shrink() }
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < self.entries.count else { break }
            if child + 1 < self.entries.count, self.entries[child + 1].due < self.entries[child].due { child += 1 }
            guard self.entries[child].due < last.due else { break }
            self.entries[index] = self.entries[child]
            index = child
        }
        self.entries[index] = last
        self.shrink()
    }

    /// Frees memory, because an array never shrinks on its own.
    private mutating func shrink() {
        guard self.entries.capacity > Self.smallest, self.entries.count < self.entries.capacity / 8 else { return }
        self.entries = self.entries.map(\.self)
    }
}
