import GRDB

/// Counts the sessions in a file that a server may be using. It changes nothing there.
package enum SQLiteSessionCounts {
    /// Returns how many rows each key has sealed, by the key's id.
    package static func read(_ path: String) throws(StoreOpeningError) -> [(keyID: [UInt8], count: Int)] {
        try Self.reading(path) { database in
            // A server of the version before may have made the file.
            try database.tableExists("sessions") ? SQLiteSessionRows.counts(from: database) : []
        }
    }

    /// Reads from a file of ours without changing it.
    static func reading<Value>(
        _ path: String, _ body: (Database) throws -> Value
    ) throws(StoreOpeningError) -> Value {
        guard let target = SQLiteFiles.target(of: path) else { throw SQLiteFiles.failure(path, for: path) }
        var configuration = Configuration()
        configuration.label = "switchback.count"
        configuration.readonly = true
        configuration.busyMode = .timeout(SQLiteOpening.busyTimeout / .seconds(1))
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA trusted_schema = OFF") }
        do {
            return try DatabaseQueue(path: target, configuration: configuration).read { database in
                guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == SQLiteSchema.applicationID else {
                    throw StoreOpeningError(.foreign, at: path)
                }
                return try body(database)
            }
        } catch {
            throw error as? StoreOpeningError ?? StoreOpeningError(.refused(StorageError(error)), at: path)
        }
    }
}
