/// The page for operators has the commands that the tests of backups run.
import Foundation
import Testing

@Suite struct BackupGuideTests {
    @Test(arguments: [
        "\"VACUUM INTO '", "\"DELETE FROM login; VACUUM\"", "pg_dump --format=custom --schema=switchback ",
        " --exclude-table-data='switchback.login*' ", "pg_restore --exit-on-error --dbname=", "sessions.valid_from",
    ]) func `the guide has each command`(_ text: String) throws {
        let package = (1...4).reduce(URL(filePath: #filePath)) { path, _ in path.deletingLastPathComponent() }
        let page = try String(contentsOf: package.appending(path: "docs/how-to/back-up.md"), encoding: .utf8)
        #expect(page.contains(text))
    }
}
