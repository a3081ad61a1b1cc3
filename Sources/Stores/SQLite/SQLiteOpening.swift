/// Opens the database: connections, settings that are read back, schema.
import GRDB

enum SQLiteOpening {
    /// What makes it durable and forgetful, as SQLite must answer when it is asked.
    static let settings = [("journal_mode", "wal"), ("synchronous", "2"), ("secure_delete", "1")]

    static func open(_ path: String) throws(SQLiteOpeningError) -> DatabasePool {
        do {
            let database = try DatabasePool(path: path, configuration: Self.configuration(path))
            try database.writeWithoutTransaction { try Self.prepare($0, path) }
            try SQLiteSchema.migrator.migrate(database)
            return database
        } catch {
            throw Self.failure(error, path)
        }
    }

    static func countOpen(_ database: DatabasePool, _ path: String) throws(SQLiteOpeningError) -> Int {
        do {
            return try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM login WHERE is_open") ?? 0 }
        } catch {
            throw Self.failure(error, path)
        }
    }

    private static func configuration(_ path: String) -> Configuration {
        var configuration = Configuration()
        configuration.label = "switchback.store"
        configuration.maximumReaderCount = 4
        // Nobody else has the file; what may hold it for a moment is a backup, or somebody with the sqlite3 command.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            // Sorting never writes to a folder that may not be there; a schema is not believed more than a row.
            try database.execute(sql: "PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF")
            let isReader = database.configuration.readonly
            // Ids are random: with a million logins the index of them is some 40 MB, read anew for each write otherwise.
            try database.execute(sql: "PRAGMA cache_size = -\(isReader ? 16_384 : 65_536)")
            guard !isReader else { return }
            try Self.checkOwner(database, path)
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        return configuration
    }

    private static func prepare(_ database: Database, _ path: String) throws {
        try database.execute(sql: "PRAGMA application_id = \(SQLiteSchema.applicationID)")
        // The library sets NORMAL after everything that could be prepared; that forgets commits in a power cut.
        try database.execute(sql: "PRAGMA synchronous = FULL")
        for (name, value) in Self.settings
        where try String.fetchOne(database, sql: "PRAGMA \(name)")?.lowercased() != value {
            throw SQLiteOpeningError(path: path, cause: .setting("\(name) = \(value)"))
        }
        guard try String.fetchOne(database, sql: "PRAGMA quick_check(1)") == "ok" else { throw StorageError.corrupt }
        guard try !SQLiteSchema.migrator.hasBeenSuperseded(database) else {
            throw SQLiteOpeningError(path: path, cause: .newer)
        }
    }

    /// Another program's file is left as it is: this is asked before anything is set.
    private static func checkOwner(_ database: Database, _ path: String) throws {
        let owner = try Int32.fetchOne(database, sql: "PRAGMA application_id")
        guard owner != SQLiteSchema.applicationID else { return }
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master")
        guard owner == 0, tables == 0 else { throw SQLiteOpeningError(path: path, cause: .foreign) }
    }

    private static func failure(_ error: any Error, _ path: String) -> SQLiteOpeningError {
        error as? SQLiteOpeningError ?? SQLiteOpeningError(path: path, cause: .storage(StorageError(error)))
    }
}
