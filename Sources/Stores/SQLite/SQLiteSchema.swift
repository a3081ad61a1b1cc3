/// What the file holds, from its first version to this one. A released step is never changed; new ones follow it.
import GRDB

enum SQLiteSchema {
    /// "SwBk": whose file it is, for us and for `file(1)`.
    static let applicationID: Int32 = 0x5377_426B

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 login") { database in
            // With a rowid: rows are larger than a twentieth of a page (sqlite.org/withoutrowid.html §4).
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
        return migrator
    }
}
