import KeyRing
import Logins

/// The ring of keys in the database: one row, or none.
package enum PostgresKeyRing {
    static let loading = PostgresStatement("SELECT version, bytes FROM switchback.load_key_ring()")

    static func store(_ row: StoredKeyRing, after former: Int64?) -> PostgresStatement {
        PostgresStatement(
            "SELECT switchback.store_key_ring(\(former.map(String.init) ?? "NULL"), \(row.version), $1)",
            [.bytes(row.bytes)])
    }

    static func row(_ answer: PostgresRows) throws(StorageError) -> StoredKeyRing? {
        guard !answer.isEmpty else { return nil }
        return StoredKeyRing(version: try answer.integer(0, 0), bytes: try answer.bytes(0, 1))
    }

    /// Reads the row of a database that servers may be using. Changes nothing there, and blocks the thread.
    package static func read(_ settings: PostgresSettings) throws(StoreOpeningError) -> StoredKeyRing? {
        _ = try PostgresMigration.inspect(settings)
        let connector = try settings.connector
        do throws(PostgresError) {
            let connection = try connector.open()
            let answer = try connection.ask(Self.loading)
            do throws(StorageError) { return try Self.row(answer) } catch { throw PostgresError(.refused(""), error) }
        } catch {
            throw StoreOpeningError(error)
        }
    }
}

extension PostgresLoginStore: KeyRingStore {
    package func loadKeyRing() async throws(StoreError) -> StoredKeyRing? {
        let answer = try await self.ask(PostgresKeyRing.loading, .reading)
        return try self.health.read(.reading) { () throws(StorageError) in try PostgresKeyRing.row(answer) }
    }

    /// If the response is lost, the next reading finds out whether the row was stored.
    package func storeKeyRing(_ row: StoredKeyRing, after former: Int64?) async throws(StoreError) -> Bool {
        let outcome = await self.pool.ask(PostgresKeyRing.store(row, after: former))
        guard let answer = try self.changeAnswer(outcome) else { throw .unavailable }
        return try self.health.read(.writing) { () throws(StorageError) in try answer.boolean(0, 0) }
    }

    package var hasStrangers: Bool? { self.changes.hasStrangers }
}
