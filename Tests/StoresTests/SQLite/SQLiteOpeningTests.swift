import Foundation
import GRDB
import TestSupport
import Testing

@testable import Stores

/// Each way in which opening the file can fail, with the error message.
@Suite struct SQLiteOpeningTests {
    private static func cause(_ path: String) -> StoreOpeningError.Cause? {
        do throws(StoreOpeningError) {
            _ = try SQLiteLoginStore(path: path)
            return nil
        } catch {
            return error.cause
        }
    }

    /// A file of another type, and a database that is damaged in its middle.
    @Test func `a damaged file is refused`() async throws {
        let folder = try Scratch()
        try folder.write(Array("this is no database, whatever its name says".utf8) + [0], to: "switchback.db")
        #expect(Self.cause(folder.database) == .refused(.corrupt))

        let other = try Scratch()
        let store = try SQLiteLoginStore(path: other.database)
        for number in 0..<200 {
            _ = try await store.insert(
                try SQLiteStoreTests.row(number, bytes: Array(repeating: 1, count: 1_000)))
        }
        await store.close()
        var bytes = Array(try other.contents("switchback.db"))
        for index in 3 * 4096..<12 * 4096 { bytes[index] = 0xA5 }
        try other.write(bytes, to: "switchback.db")
        #expect(Self.cause(other.database) == .refused(.corrupt))
    }

    /// If a link leads to a file that does not exist yet, the file is created at the target, for its owner only.
    @Test(arguments: ["there.db", "below/there.db"]) func `a dangling link leads to a file of its owner`(
        _ target: String
    ) async throws {
        let folder = try Scratch()
        #expect(symlink(target, folder.database) == 0)
        let store = try SQLiteLoginStore(path: folder.database)
        try await store.probe()
        for name in ["", "-wal", "-shm", "-lock"] { #expect(try folder.mode(target + name) == 0o600, "\(name)") }
        await store.close()
    }

    @Test func `a circle of links is named`() throws {
        let folder = try Scratch()
        #expect(symlink("b.db", folder.path + "/a.db") == 0)
        #expect(symlink("a.db", folder.path + "/b.db") == 0)
        let path = folder.path + "/a.db"
        #expect(Self.cause(path) == .system(path: path, message: "Too many levels of symbolic links"))
    }

    /// Through a link to the file, a link to its folder, a hard link, and its own name.
    @Test func `a live database is opened only once`() async throws {
        let (folder, other) = (try Scratch(), try Scratch())
        let store = try SQLiteLoginStore(path: folder.database)
        try await store.probe()
        #expect(symlink(folder.database, other.path + "/link.db") == 0)
        #expect(symlink(folder.path, other.path + "/folder") == 0)
        #expect(link(folder.database, folder.path + "/hard.db") == 0)
        let doors = [
            other.path + "/link.db", other.path + "/folder/switchback.db", folder.path + "/hard.db", folder.database,
        ]
        for door in doors { #expect(Self.cause(door) == .inUse, "\(door)") }
        try await store.probe()
        await store.close()
        await (try SQLiteLoginStore(path: doors[0])).close()
    }

    /// A link in place of one of our files must not open another user's file to us, nor change its mode.
    @Test(arguments: ["-wal", "-shm", "-lock"])
    func `a link in the place of a file beside it is refused`(_ suffix: String) throws {
        let folder = try Scratch()
        try folder.write([1], to: "theirs")
        chmod(folder.path + "/theirs", 0o644)
        #expect(symlink("theirs", folder.database + suffix) == 0)
        let name = folder.database + suffix
        #expect(Self.cause(folder.database) == .system(path: name, message: "Too many levels of symbolic links"))
        #expect(try folder.mode("theirs") == 0o644)
    }

    @Test func `another program's database is left alone`() async throws {
        let folder = try Scratch()
        let queue = try DatabaseQueue(path: folder.database)
        try await queue.write { try $0.execute(sql: "CREATE TABLE theirs (a); PRAGMA application_id = 77") }
        try queue.close()
        let before = try folder.contents("switchback.db")
        #expect(Self.cause(folder.database) == .foreign)
        #expect(try folder.contents("switchback.db") == before)
    }

    @Test func `a later schema is refused`() async throws {
        let folder = try Scratch()
        let store = try SQLiteLoginStore(path: folder.database)
        try await store.database.write {
            try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('99 of tomorrow')")
        }
        await store.close()
        #expect(Self.cause(folder.database) == .newerFile)
    }

    @Test func `a folder that cannot be made is named`() throws {
        let folder = try Scratch()
        try folder.write([1], to: "file")
        let path = folder.path + "/file/below/switchback.db"
        #expect(
            Self.cause(path) == .system(path: folder.path + "/file/below", message: "Not a directory"))
    }

    /// Runs in a separate process, which drops root privileges if it has them.
    @Test func `a read-only folder is named`() async throws {
        let folder = try Scratch()
        await (try SQLiteLoginStore(path: folder.database)).close()
        let path = folder.path
        chmod(path, 0o555)
        await #expect(processExitsWith: .success) { [path = path as String] in
            endProcess(afterMinutes: 10)
            if geteuid() == 0 { _ = seteuid(65_534) }
            let new = path + "/new.db"
            let cause = StoreOpeningError.Cause.system(path: new + "-lock", message: "Permission denied")
            #expect(throws: StoreOpeningError(cause, at: new)) { try SQLiteLoginStore(path: new) }
        }
        chmod(path, 0o755)
    }

    /// Every cause has a readable message, which is neither empty nor the name of a type.
    @Test(arguments: [
        (StoreOpeningError.Cause.inUse, "/x.db is in use by another process: two servers cannot share a file"),
        (
            .system(path: "/x.db-lock", message: "Permission denied"),
            "/x.db cannot be used: /x.db-lock: Permission denied"
        ),
        (.newerFile, "/x.db was written by a newer version of Switchback: run that one, or move the file away"),
        (.foreign, "/x.db is the database of another program"),
        (.setting("synchronous = 2"), "/x.db: SQLite did not accept synchronous = 2"),
        (.refused(.full), "/x.db cannot be used: no space is left on the disk"),
        (.refused(.readOnly), "/x.db cannot be used: it is read-only"),
        (.refused(.locked), "/x.db cannot be used: it is locked by another process"),
        (.refused(.moved), "/x.db cannot be used: its file was moved or deleted: put it back, or restart the server"),
    ]) func `every cause says what to do`(_ cause: StoreOpeningError.Cause, _ text: String) {
        #expect("\(StoreOpeningError(cause, at: "/x.db"))" == text)
    }

    @Test(arguments: [
        (ResultCode.SQLITE_FULL, StorageError.full), (.SQLITE_READONLY, .readOnly),
        (.SQLITE_READONLY_DBMOVED, .readOnly), (.SQLITE_PERM, .readOnly), (.SQLITE_BUSY, .locked),
        (.SQLITE_BUSY_SNAPSHOT, .locked), (.SQLITE_LOCKED, .locked), (.SQLITE_CORRUPT, .corrupt),
        (.SQLITE_CORRUPT_VTAB, .corrupt), (.SQLITE_NOTADB, .corrupt),
        (.SQLITE_IOERR_FSYNC, .other("SQLite 1034: m")),
    ]) func `a result code has a meaning`(_ code: ResultCode, _ cause: StorageError) {
        #expect(StorageError(DatabaseError(resultCode: code, message: "m", sql: "INSERT …")) == cause)
    }
}
