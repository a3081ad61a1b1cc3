import Base
import HeapModule

/// The due times of the rows, the earliest first. It is as large as its rows need: a heap that grows by itself doubles,
/// and never shrinks.
struct DueTimeQueue<ID> {
    /// Compared by its time alone.
    struct Entry: Comparable {
        let due: Timestamp
        let id: ID

        static func == (a: Self, b: Self) -> Bool { a.due == b.due }
        static func < (a: Self, b: Self) -> Bool { a.due < b.due }
    }

    private static var smallest: Int { 64 }
    private var entries = Heap<Entry>()
    /// The number of entries that fit without a new allocation.
    private(set) var capacity = 0

    var first: Entry? { self.entries.min }

    mutating func add(_ entry: Entry) {
        if self.entries.count == self.capacity {
            self.capacity = ArrayGrowth.capacity(above: self.entries.count)
            self.entries.reserveCapacity(self.capacity)
        }
        self.entries.insert(entry)
    }

    mutating func removeFirst() {
        _ = self.entries.popMin()
        guard self.capacity > Self.smallest, self.entries.count < self.capacity / 8 else { return }
        self.capacity = self.entries.count
        self.entries = Heap(self.entries.unordered.map(\.self))
    }
}
