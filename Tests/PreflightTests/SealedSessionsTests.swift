import Base
import ConfigurationSamples
import Foundation
import Logins
import Preflight
import ServerConfiguration
import Sessions
import Stores
import Testing

/// The sessions that need each key are counted in a store that a server is using, and nothing is changed there.
@Suite struct SealedSessionsTests {
    private static func configuration(_ store: String) throws -> Configuration {
        try Configuration(SampleConfiguration.source("store: memory", "store: \(store)"))
    }

    private static func row(_ number: UInt8, key: UInt8) throws -> SealedSession {
        SealedSession(
            id: try #require(SessionID(Array(repeating: number, count: 16))), revision: 1,
            due: Timestamp(seconds: 0), person: [1], keyID: Array(repeating: key, count: 8), bytes: [1])
    }

    @Test func `the sessions of an open file are counted`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/switchback-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/switchback.db"
        let configuration = try Self.configuration("sqlite\nsqlite: {path: \(path)}")
        #expect(throws: OperatorError.self) { try SealedSessions.counts(configuration) }
        #expect(!FileManager.default.fileExists(atPath: path), "nothing was made")

        let store = try SQLiteLoginStore(path: path)
        #expect(try SealedSessions.counts(configuration) == [:])
        for (number, key) in [(1, 1), (2, 1), (3, 2)] as [(UInt8, UInt8)] {
            #expect(try await store.insertSession(try Self.row(number, key: key)))
        }
        let counts = ["AQEBAQEBAQE": 2, "AgICAgICAgI": 1]
        #expect(try SealedSessions.counts(configuration) == counts)
        // The server still works, and after it nobody needs to be there.
        #expect(try await store.insertSession(try Self.row(4, key: 2)))
        await store.close()
        #expect(try SealedSessions.counts(configuration) == ["AQEBAQEBAQE": 2, "AgICAgICAgI": 2])
        let again = try SQLiteLoginStore(path: path)
        #expect(try await again.sessionCounts().map(\.count).reduce(0, +) == 4)
        await again.close()
    }

    @Test func `another program's file is refused`() throws {
        let path = FileManager.default.temporaryDirectory.path + "/switchback-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try SystemFile.create(path, Array("this is no database, whatever its name says".utf8) + [0])
        let configuration = try Self.configuration("sqlite\nsqlite: {path: \(path)}")
        #expect(throws: OperatorError.self) { try SealedSessions.counts(configuration) }
    }

    @Test func `a store in memory cannot be counted`() throws {
        let configuration = try Self.configuration("memory")
        #expect(throws: OperatorError.self) { try SealedSessions.counts(configuration) }
    }
}
