import GRDB
import Logins

/// Opens the database: makes the connections, verifies the settings and applies the schema.
enum SQLiteOpening {
    /// Settings for durability and for deletion without traces, with the values that SQLite must report.
    static let settings = [("journal_mode", "wal"), ("synchronous", "2"), ("secure_delete", "1")]

    /// How long a statement waits for a lock. No other server uses the file; only a backup or the sqlite3 command may
    /// lock it for a short time.
    static let busyTimeout = Duration.seconds(5)

    static func setBusyTimeout(_ limit: Duration, of database: Database) throws {
        try database.execute(sql: "PRAGMA busy_timeout = \(limit / .milliseconds(1))")
    }

    static func open(_ path: String) throws(StoreOpeningError) -> DatabasePool {
        do {
            let database = try DatabasePool(path: path, configuration: Self.configuration(path))
            try database.writeWithoutTransaction { try Self.prepare($0, path) }
            try SQLiteSchema.migrator.migrate(database)
            try database.write { database in
                try SQLiteNotes.prepare(database)
                try SQLiteKeyRing.prepare(database)
            }
            return database
        } catch {
            throw Self.failure(error, path)
        }
    }

    /// Stores the open logins and all tombstones in `live`. Returns the open logins.
    static func load(
        _ database: DatabasePool, to live: LiveLogins, _ path: String
    ) throws(StoreOpeningError) -> [SealedLogin] {
        do {
            return try database.read { database in
                try SQLiteTombstones.visitAll(from: database) { live.store($0) }
                let open = try SQLiteRows.open(from: database)
                for row in open { live.store(row) }
                return open
            }
        } catch {
            throw Self.failure(error, path)
        }
    }

    private static func configuration(_ path: String) -> Configuration {
        var configuration = Configuration()
        configuration.label = "switchback.store"
        configuration.maximumReaderCount = 4
        configuration.busyMode = .timeout(Self.busyTimeout / .seconds(1))
        configuration.prepareDatabase { database in
            // Sorting needs no folder for temporary files, and we trust a schema no more than a row.
            try database.execute(sql: "PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF")
            let isReader = database.configuration.readonly
            // Ids are random. Their index takes some 40 MB for a million logins, and would otherwise be read again for
            // each write.
            try database.execute(sql: "PRAGMA cache_size = -\(isReader ? 16_384 : 65_536)")
            guard !isReader else { return }
            try Self.checkOwner(database, path)
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        return configuration
    }

    private static func prepare(_ database: Database, _ path: String) throws {
        try database.execute(sql: "PRAGMA application_id = \(SQLiteSchema.applicationID)")
        // The library sets NORMAL after we could change it. With NORMAL a power cut can lose commits.
        try database.execute(sql: "PRAGMA synchronous = FULL")
        for (name, value) in Self.settings
        where try String.fetchOne(database, sql: "PRAGMA \(name)")?.lowercased() != value {
            throw StoreOpeningError(.setting("\(name) = \(value)"), at: path)
        }
        guard try String.fetchOne(database, sql: "PRAGMA quick_check(1)") == "ok" else { throw StorageError.corrupt }
        guard try !SQLiteSchema.migrator.hasBeenSuperseded(database) else {
            throw StoreOpeningError(.newerFile, at: path)
        }
    }

    /// Refuses the file of another program. This runs before any setting is changed, so that file stays as it is.
    private static func checkOwner(_ database: Database, _ path: String) throws {
        let owner = try Int32.fetchOne(database, sql: "PRAGMA application_id")
        guard owner != SQLiteSchema.applicationID else { return }
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master")
        guard owner == 0, tables == 0 else { throw StoreOpeningError(.foreign, at: path) }
    }

    private static func failure(_ error: any Error, _ path: String) -> StoreOpeningError {
        error as? StoreOpeningError ?? StoreOpeningError(.refused(StorageError(error)), at: path)
    }
}
