import Base
import Logins

/// The notes of logins in memory. It is empty while no notes are kept.
///
/// It has no index for references, because only operators ask for them, and a memory store is for tests and demos.
struct NoteTable {
    private struct Entry {
        var bytes: [UInt8]
        var keepUntil: Timestamp

        mutating func add(_ addition: NoteAddition) {
            if self.bytes.count + addition.bytes.count <= addition.limit { self.bytes += addition.bytes }
            self.keepUntil = max(self.keepUntil, addition.keepUntil)
        }
    }

    private var entries: [LoginID: Entry] = [:]
    /// No note may be removed before this time.
    private var earliest = Timestamp(milliseconds: .max)

    mutating func add(_ addition: NoteAddition, to id: LoginID) {
        self.entries[id, default: Entry(bytes: [], keepUntil: addition.keepUntil)].add(addition)
        self.earliest = min(self.earliest, addition.keepUntil)
    }

    func notes(ofReference reference: String) -> [StoredNote] {
        self.entries.compactMap { id, entry in
            id.reference == reference ? StoredNote(id: id, bytes: entry.bytes) : nil
        }
    }

    mutating func removeDue(at now: Timestamp) {
        guard self.earliest <= now else { return }
        self.entries = self.entries.filter { $0.value.keepUntil > now }
        self.earliest = self.entries.values.map(\.keepUntil).min() ?? Timestamp(milliseconds: .max)
    }
}
