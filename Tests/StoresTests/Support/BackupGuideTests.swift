import Foundation
import TestSupport
import Testing

/// The page for operators has the commands that the tests of backups run.
@Suite struct BackupGuideTests {
    @Test(arguments: [
        "\"VACUUM INTO '", "\"DELETE FROM login; VACUUM\"", "pg_dump --format=custom --schema=switchback ",
        " --exclude-table-data='switchback.login*' ", "pg_restore --exit-on-error --dbname=", "sessions.valid_from",
    ]) func `the guide has each command`(_ text: String) throws {
        #expect(try SourceFile.text("docs/how-to/back-up.md").contains(text))
    }
}
