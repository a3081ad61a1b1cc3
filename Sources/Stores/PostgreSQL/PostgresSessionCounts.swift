/// Counts the sessions in a database that servers may be using. It changes nothing there.
package enum PostgresSessionCounts {
    /// Returns how many rows each key has sealed, by the key's id. Blocks the thread.
    package static func read(
        _ settings: PostgresSettings
    ) throws(StoreOpeningError) -> [(keyID: [UInt8], count: Int)] {
        _ = try PostgresMigration.inspect(settings)
        let connector = try settings.connector
        do throws(PostgresError) {
            let connection = try connector.open()
            return try Self.counts(try connection.ask(SessionStatements.counts))
        } catch {
            throw StoreOpeningError(error)
        }
    }

    private static func counts(_ rows: PostgresRows) throws(PostgresError) -> [(keyID: [UInt8], count: Int)] {
        do throws(StorageError) {
            return try SessionStatements.counts(rows)
        } catch {
            throw PostgresError(.refused(""), error)
        }
    }
}
