import Foundation
import Glibc
import Logins
import Stores
import TestSupport
import Testing

/// `kill -9` during many concurrent writes: every acknowledged write is there, and no write is incomplete.
@Suite struct SQLiteCrashTests {
    @Test(arguments: [1, 60, 700]) func `what was acknowledged is there`(_ acknowledgements: Int) async throws {
        let folder = try Scratch()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.path as String, acknowledgements = acknowledgements as Int] in
            endProcess(afterMinutes: 10)
            try await Writers.write(to: path, until: acknowledgements)
        }
        let acknowledged = try folder.contents("acknowledged").split(separator: 0x0A).map {
            String(decoding: $0, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        }
        #expect(acknowledged.count >= acknowledgements)
        let store = try SQLiteLoginStore(path: folder.database)
        for entry in acknowledged {
            let row = try #require(try await store.load(try SQLiteStoreTests.row(entry[0]).id))
            #expect(row.revision >= Int64(entry[1]), "login \(entry[0])")
            #expect(row.bytes == Writers.bytes(entry[0], row.revision), "whole, and of its revision")
        }
        #expect(store.open >= 1 && store.open <= Writers.count)
        await store.close()
    }
}

/// The code of the process that is killed.
enum Writers {
    static let count = 24

    static func bytes(_ number: Int, _ revision: Int64) -> [UInt8] {
        Array("login \(number) at \(revision)".utf8) + Array(repeating: UInt8(number), count: 900)
    }

    /// Each writer keeps changing its own login and records each change after it was acknowledged.
    static func write(to folder: String, until acknowledgements: Int) async throws {
        let store = try SQLiteLoginStore(path: folder + "/switchback.db")
        let notes = open(folder + "/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let total = Total()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Self.count {
                group.addTask {
                    let first = try SQLiteStoreTests.row(number, bytes: Self.bytes(number, 1))
                    guard try await store.insert(first) else { return }
                    for revision in 1... as PartialRangeFrom<Int64> {
                        let line = Array("\(number) \(revision)\n".utf8)
                        guard Glibc.write(notes, line, line.count) == line.count else { return }
                        if await total.add() == acknowledgements { kill(getpid(), SIGKILL) }
                        let next = try SQLiteStoreTests.row(
                            number, revision: revision + 1, bytes: Self.bytes(number, revision + 1))
                        guard try await store.replace(next, revision: revision) else { return }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private actor Total {
        private var value = 0

        func add() -> Int {
            self.value += 1
            return self.value
        }
    }
}
