import Base
import Logins

/// A tombstone in as few bytes as it needs: its id, the second of its end, and the sealed bytes.
struct PackedTombstone: Equatable {
    let id: LoginID
    /// Seconds since 1970.
    let due: UInt32
    let bytes: [UInt8]

    init(id: LoginID, due: UInt32, bytes: [UInt8]) {
        self.id = id
        self.due = due
        self.bytes = bytes
    }

    /// Returns nil for any other row, which a store keeps as it is.
    init?(_ row: SealedLogin) {
        guard row.isTombstone, let due = UInt32(exactly: row.due.seconds),
            Timestamp(seconds: row.due.seconds) == row.due
        else { return nil }
        self.init(id: row.id, due: due, bytes: row.bytes)
    }

    var row: SealedLogin {
        SealedLogin(tombstoneOf: self.id, due: Timestamp(seconds: Int(self.due)), bytes: self.bytes)
    }
}
