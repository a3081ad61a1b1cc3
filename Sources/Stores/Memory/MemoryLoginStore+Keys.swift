// The ring of keys in the memory of this process.

import KeyRing
import Logins

extension MemoryLoginStore: KeyRingStore {
    package func loadKeyRing() async throws(StoreError) -> StoredKeyRing? { self.keyRing.withLock { $0 } }

    package func storeKeyRing(
        _ row: StoredKeyRing, after former: Int64?
    ) async throws(StoreError) -> Bool {
        self.keyRing.withLock { stored in
            guard stored?.version == former else { return false }
            stored = row
            return true
        }
    }

    /// Nobody else has this memory.
    package var hasStrangers: Bool? { false }
}
