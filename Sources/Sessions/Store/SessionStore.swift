import Base
import Logins

/// The storage of sessions. The conformance suite of the stores completes this contract: a store that passes it is
/// correct.
///
/// A store keeps opaque rows and never looks into them. A transition is `loadSession`, a pure function,
/// `replaceSession`. On a conflict with another writer, `replaceSession` returns false and the caller starts again.
///
/// The methods that every request needs run on the caller's executor (`nonsending`), as those of `LoginStore` do.
package protocol SessionStore: Sendable {
    /// Stores a new row. Returns false if the id is taken.
    nonisolated(nonsending) func insertSession(_ row: SealedSession) async throws(StoreError) -> Bool

    nonisolated(nonsending) func loadSession(_ id: SessionID) async throws(StoreError) -> SealedSession?

    /// Stores `row` in place of the one with that revision. Returns false if the stored revision is another one, or if
    /// there is no row.
    nonisolated(nonsending) func replaceSession(
        _ row: SealedSession, revision: Int64
    ) async throws(StoreError) -> Bool

    /// Removes the row with that revision. Returns false if the stored revision is another one, or if there is no row.
    func removeSession(_ id: SessionID, revision: Int64) async throws(StoreError) -> Bool

    /// Returns up to `limit` rows whose `person` is one of these, in the order of their ids. `last` is the last id of
    /// the page before, and nil asks for the first page.
    func loadSessions(
        ofPersons persons: [[UInt8]], after last: SessionID?, limit: Int
    ) async throws(StoreError) -> [SealedSession]

    /// Returns up to `limit` rows with `due` at or before `now`, roughly in the order of their due time.
    func loadDueSessions(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedSession]

    /// Returns up to `limit` rows that this key sealed and that have a `person`. The others are tombstones that lead to
    /// nobody. They are not sealed again, because some are named by their key, and all are gone in a day.
    func loadSessions(sealedBy keyID: [UInt8], limit: Int) async throws(StoreError) -> [SealedSession]

    /// Returns how many rows each key has sealed.
    func sessionCounts() async throws(StoreError) -> [(keyID: [UInt8], count: Int)]
}
