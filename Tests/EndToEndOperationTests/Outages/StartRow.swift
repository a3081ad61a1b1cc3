import EndToEndSupport
import Foundation
import GRDB
import TestSupport
import Testing

/// What keeps a server from starting, and what `serve` says about it: a line of docs/explanation/outages.md.
struct StartRow: Sendable, CustomTestStringConvertible {
    let name: String
    /// The text on standard error, without the folder.
    let says: String
    var settings = DurableStage.immediate
    /// Creates the cause. The test keeps the result until the server has exited.
    let prepare: @Sendable (_ folder: String) throws -> (any Sendable)?

    var testDescription: String { self.name }

    var line: String { "| \(self.name) | \(self.says.split(separator: "\n").joined(separator: "<br>")) |" }

    private static func write(_ bytes: [UInt8], _ path: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path))
    }

    static let all = [
        StartRow(
            name: "start: the folder of the file cannot be made",
            says: "error: …/data/switchback.db cannot be used: …/data/switchback.db-lock: Not a directory"
        ) { folder in
            try Self.write([1], "\(folder)/data")
            return nil
        },
        StartRow(
            name: "start: the file is damaged",
            says:
                "error: …/data/switchback.db cannot be used: it is damaged: restore a copy, or move the file away and lose all logins and sessions"
        ) { folder in
            try Self.write(Array("this is no database, whatever its name says".utf8), "\(folder)/data/switchback.db")
            return nil
        },
        StartRow(
            name: "start: the file is another program's",
            says: "error: …/data/switchback.db is the database of another program"
        ) { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/data", withIntermediateDirectories: true)
            let queue = try DatabaseQueue(path: "\(folder)/data/switchback.db")
            try queue.write { try $0.execute(sql: "CREATE TABLE theirs (a)") }
            try queue.close()
            return nil
        },
        StartRow(
            name: "start: another server has the file",
            says: "error: …/data/switchback.db is in use by another process: two servers cannot share a file"
        ) { folder in
            try Self.write([], "\(folder)/data/switchback.db-lock")
            let handle = try FileHandle(forUpdating: URL(filePath: "\(folder)/data/switchback.db-lock"))
            #expect(flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
            return handle
        },
        StartRow(
            name: "start: another process holds the file for long",
            says: "error: …/data/switchback.db cannot be used: it is locked by another process"
        ) { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/data", withIntermediateDirectories: true)
            var configuration = GRDB.Configuration()
            configuration.allowsUnsafeTransactions = true
            let queue = try DatabaseQueue(path: "\(folder)/data/switchback.db", configuration: configuration)
            try queue.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA journal_mode = WAL; BEGIN IMMEDIATE")
            }
            return queue
        },
        StartRow(
            name: "start: a server key is missing",
            says:
                "error: …/switchback.yaml:5: server_keys: …/server.key: No such file or directory"
        ) { folder in
            try FileManager.default.removeItem(atPath: "\(folder)/server.key")
            return nil
        },
        StartRow(
            name: "start: a server key is cut short",
            says:
                "error: …/switchback.yaml:5: server_keys: …/server.key: is not a server key; `switchback keys generate server` makes one"
        ) { folder in
            try Self.write(Array("c2hvcnQ=\n".utf8), "\(folder)/server.key")
            return nil
        },
        StartRow(
            name: "start: the key that signs assertions is missing",
            says:
                "error: …/switchback.yaml:8: keys.assertion[0].file: …/assertion.pem: No such file or directory",
            settings: "\(DurableStage.immediate)\nkeys: {assertion: [{file: assertion.pem}]}"
        ) { _ in nil },
    ]
}
