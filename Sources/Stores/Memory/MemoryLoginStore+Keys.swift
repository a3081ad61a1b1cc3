// The ring of keys in the memory of this process.

import KeyRing

extension MemoryLoginStore: KeyRingStore {
    package func loadKeyRing() async throws(KeyRingStoreError) -> StoredKeyRing? { self.keyRing.withLock { $0 } }

    package func storeKeyRing(
        _ row: StoredKeyRing, after former: Int64?
    ) async throws(KeyRingStoreError) -> Bool {
        self.keyRing.withLock { stored in
            guard stored?.version == former else { return false }
            stored = row
            return true
        }
    }

    /// Nobody else has this memory.
    package var hasStrangers: Bool? { false }
}
