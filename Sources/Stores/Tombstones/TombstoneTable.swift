import Base
import Logins

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The tombstones of one part of a store, one after another in memory: 53 bytes each, and at most an eighth of room.
///
/// There are as many as logins in a day, and hardly anybody asks for one. So there is no index but a byte of each id's
/// hash. A look-up compares these bytes, 16 or more at a time, and then the whole ids of the few that match.
struct TombstoneTable {
    private static let stride = LoginID.byteCount + 4 + SealedLogin.tombstoneByteCount
    private static let smallest = 8

    /// A byte of each id's hash. It is not one of the id's own bytes, because callers choose these.
    private var marks: [UInt8] = []
    /// The id, the time in big-endian order, and the sealed bytes of each.
    private var records: [UInt8] = []
    /// The number of tombstones that fit without a new allocation.
    private var room = 0
    /// No tombstone is due before this time.
    private var earliest = UInt32.max

    var count: Int { self.marks.count }

    /// The allocated bytes.
    var byteCount: Int { self.marks.capacity + self.records.capacity }

    subscript(id: LoginID) -> PackedTombstone? { self.index(of: id).flatMap { self.tombstone(at: $0) } }

    func contains(_ id: LoginID) -> Bool { self.index(of: id) != nil }

    mutating func add(_ tombstone: PackedTombstone) {
        if self.count == self.room { self.allocate(self.count + max(Self.smallest, self.count / 8)) }
        self.marks.append(Self.mark(of: tombstone.id))
        tombstone.id.withBytes { self.records.append(contentsOf: $0) }
        withUnsafeBytes(of: tombstone.due.bigEndian) { self.records.append(contentsOf: $0) }
        self.records.append(contentsOf: tombstone.bytes)
        self.earliest = min(self.earliest, tombstone.due)
    }

    /// Removes the tombstones that are due. Returns how many there were.
    mutating func removeDue(at now: Timestamp) -> Int {
        guard Int(self.earliest) <= now.seconds else { return 0 }
        self.earliest = .max
        let count = self.count
        var keptCount = 0
        for index in 0..<count {
            let due = self.due(at: index)
            guard Int(due) > now.seconds else { continue }
            self.earliest = min(self.earliest, due)
            if keptCount < index { self.move(index, to: keptCount) }
            keptCount += 1
        }
        self.marks.removeLast(count - keptCount)
        self.records.removeLast((count - keptCount) * Self.stride)
        // An array never shrinks on its own.
        if keptCount < self.room - self.room / 6, self.room > Self.smallest { self.allocate(keptCount + keptCount / 8) }
        return count - keptCount
    }

    /// The bits in the middle. The last ones choose the table, and are the same for all in it.
    private static func mark(of id: LoginID) -> UInt8 { UInt8(truncatingIfNeeded: id.tableHash >> 32) }

    /// How many tombstones a look-up of this id compares.
    func candidates(for id: LoginID) -> Int {
        let mark = Self.mark(of: id)
        return self.marks.count { $0 == mark }
    }

    private func index(of id: LoginID) -> Int? {
        let mark = Int32(Self.mark(of: id))
        return id.withBytes { id in
            self.marks.withUnsafeBytes { marks in
                self.records.withUnsafeBytes { records in
                    guard let first = marks.baseAddress, let ids = records.baseAddress, let wantedID = id.baseAddress
                    else { return nil }
                    var index = 0
                    while index < marks.count,
                        let match = memchr(first + index, mark, marks.count - index)
                    {
                        index = UnsafeRawPointer(match) - first
                        if memcmp(ids + index * Self.stride, wantedID, LoginID.byteCount) == 0 { return index }
                        index += 1
                    }
                    return nil
                }
            }
        }
    }

    private func due(at index: Int) -> UInt32 {
        let place = index * Self.stride + LoginID.byteCount
        return self.records[place..<place + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    }

    private func tombstone(at index: Int) -> PackedTombstone? {
        let record = self.records[index * Self.stride..<(index + 1) * Self.stride]
        return LoginID(Array(record.prefix(LoginID.byteCount))).map { id in
            PackedTombstone(
                id: id, due: self.due(at: index), bytes: Array(record.suffix(SealedLogin.tombstoneByteCount)))
        }
    }

    private mutating func move(_ index: Int, to target: Int) {
        self.marks[target] = self.marks[index]
        self.records.withUnsafeMutableBytes { records in
            let from = UnsafeRawBufferPointer(rebasing: records[index * Self.stride..<(index + 1) * Self.stride])
            UnsafeMutableRawBufferPointer(rebasing: records[(target * Self.stride)...]).copyMemory(from: from)
        }
    }

    /// Moves everything to arrays of this room. An array that grows by itself doubles, so half of it may be empty.
    private mutating func allocate(_ room: Int) {
        var (marks, records) = ([] as [UInt8], [] as [UInt8])
        marks.reserveCapacity(room)
        records.reserveCapacity(room * Self.stride)
        marks += self.marks
        records += self.records
        (self.marks, self.records, self.room) = (marks, records, room)
    }
}
