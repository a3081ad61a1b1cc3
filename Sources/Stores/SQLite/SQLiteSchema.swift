import GRDB

/// The schema of the file, as migrations from the first version to this one. Never change a released step; add new
/// ones.
enum SQLiteSchema {
    /// "SwBk", which marks the file as ours, also for `file(1)`.
    static let applicationID: Int32 = 0x5377_426B

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 login") { database in
            // The table has a rowid because rows are larger than a twentieth of a page (sqlite.org/withoutrowid.html
            // §4).
            try database.execute(
                sql: """
                    CREATE TABLE login (
                        id BLOB NOT NULL PRIMARY KEY,
                        revision INTEGER NOT NULL,
                        due INTEGER NOT NULL,
                        is_open INTEGER NOT NULL,
                        bytes BLOB NOT NULL
                    ) STRICT;
                    CREATE INDEX login_due ON login (due);
                    """)
        }
        migrator.registerMigration("2 sessions") { database in
            // The previous version refuses a file of this one, but its statements still work here.
            try database.execute(
                sql: """
                    CREATE TABLE sessions (
                        id BLOB NOT NULL PRIMARY KEY,
                        revision INTEGER NOT NULL,
                        due INTEGER NOT NULL,
                        person BLOB NOT NULL,
                        key_id BLOB NOT NULL,
                        bytes BLOB NOT NULL
                    ) STRICT;
                    CREATE INDEX sessions_due ON sessions (due);
                    CREATE INDEX sessions_person ON sessions (person);
                    CREATE INDEX sessions_key ON sessions (key_id);
                    """)
        }
        migrator.registerMigration("3 tombstones") { database in
            // A row takes some 61 bytes. The key has the time, so the rows stand in the order in which they are
            // removed, and need no index. Tombstones in the table `login` stay there until their time is over.
            try database.execute(
                sql: """
                    CREATE TABLE tombstones (
                        key INTEGER PRIMARY KEY,
                        entry BLOB NOT NULL
                    ) STRICT;
                    """)
        }
        return migrator
    }
}
