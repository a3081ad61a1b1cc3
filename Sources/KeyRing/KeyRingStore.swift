import Logins

/// Where the servers that share a store keep their ring of keys: one row, which is changed by compare-and-swap. If
/// `storeKeyRing` throws, nobody knows whether the row was stored.
package protocol KeyRingStore: Sendable {
    /// Nil if there is none.
    func loadKeyRing() async throws(StoreError) -> StoredKeyRing?

    /// Stores the row. Returns false if the stored version is not `former`; nil means that there is none.
    func storeKeyRing(_ row: StoredKeyRing, after former: Int64?) async throws(StoreError) -> Bool

    /// Whether another server that has not switched automatic keys on uses the store. Nil if nobody can tell now.
    var hasStrangers: Bool? { get }
}

/// The sealed row of a ring.
package struct StoredKeyRing: Equatable, Sendable {
    package let version: Int64
    package let bytes: [UInt8]

    package init(version: Int64, bytes: [UInt8]) {
        self.version = version
        self.bytes = bytes
    }
}
