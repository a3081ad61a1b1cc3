import Foundation
import Testing

@testable import SwitchbackClient

/// Saved logins as files: they survive the app, and a broken file hides no other.
@Suite final class FileSavedLoginStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("logins-\(UUID().uuidString)")
    private let reported = Locked<[String]>([])

    private var store: FileSavedLoginStore {
        FileSavedLoginStore(folder: self.folder) { [reported] file, _ in
            reported.withLock { $0.append(file.lastPathComponent) }
        }
    }

    deinit { try? FileManager.default.removeItem(at: self.folder) }

    private func file(_ record: SavedLogin) -> URL {
        self.folder.appendingPathComponent("\(record.id.uuidString).json")
    }

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test("what is stored is read back whole") func whatIsStoredSurvives() async throws {
        let records = [Example.record(), Example.record("bankid", login: Example.id, acknowledged: true)]
        for record in records { try await self.store.save(record) }
        #expect(Set(try await self.store.all().map(\.id)) == Set(records.map(\.id)))
        for record in try await self.store.all() { #expect(records.contains(record), "with everything in it") }
    }

    @Test("the last save of a record counts") func theLastOneHolds() async throws {
        var record = Example.record()
        for number in 0..<5 {
            record.login = "id\(number)"
            try await self.store.save(record)
        }
        #expect(try await self.store.all() == [record])
    }

    @Test("only this app can read it") func onlyThisAppCanReadIt() async throws {
        let record = Example.record()
        for _ in 0..<2 {
            try await self.store.save(record)
            #expect(try self.mode(self.file(record)) == 0o600)
            #expect(try self.mode(self.folder) == 0o700)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: self.folder.path)
        #expect(names == ["\(record.id.uuidString).json"], "nothing is left beside it")
    }

    @Test("what is removed is gone") func whatIsRemovedIsGone() async throws {
        let (one, other) = (Example.record(), Example.record("bankid"))
        try await self.store.remove(one.id)
        try await self.store.save(one)
        try await self.store.save(other)
        for _ in 0..<2 { try await self.store.remove(one.id) }
        #expect(try await self.store.all() == [other])
    }

    @Test("a folder that is not there is empty") func aFolderThatIsNotThereIsEmpty() async throws {
        #expect(try await self.store.all() == [])
    }

    static let broken = [
        "", "{", "null", "{}", "\u{0}", #"{"secret": "short"}"#,
        #"{"secret": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", "id": "no UUID"}"#,
    ]

    @Test("a broken file is reported and hides no other", arguments: broken)
    func aBrokenFileIsReportedAndHidesNoOther(_ text: String) async throws {
        let record = Example.record()
        try await self.store.save(record)
        try Data(text.utf8).write(to: self.folder.appendingPathComponent("broken.json"))
        try Data("x".utf8).write(to: self.folder.appendingPathComponent("readme.txt"))
        #expect(try await self.store.all() == [record])
        #expect(self.reported.withLock { $0 } == ["broken.json"])
    }

    /// A folder in the place of a file cannot be opened as a file.
    @Test("a file that cannot be opened hides no other") func aFileThatCannotBeOpenedHidesNoOther() async throws {
        let record = Example.record()
        try await self.store.save(record)
        let folder = self.folder.appendingPathComponent("folder.json")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        #expect(try await self.store.all() == [record])
        #expect(self.reported.withLock { $0 } == ["folder.json"])
        // Before the first unlock of a device no file can be opened. That is not the same as no files.
        try await self.store.remove(record.id)
        await #expect(throws: (any Error).self) { try await self.store.all() }
    }

    static let encodings: [JSONEncoder.DateEncodingStrategy] = [.deferredToDate, .iso8601, .secondsSince1970]

    /// Logins are sorted by their dates, so no part of a second may be lost in a store of any kind.
    @Test("the date of a login survives every encoder", arguments: encodings.indices)
    func theDateSurvives(_ index: Int) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = Self.encodings[index]
        let example = Example.record()
        for _ in 0..<100 {
            let date = Date(timeIntervalSinceReferenceDate: .random(in: 7e8...8e8))
            let record = SavedLogin(example.request, secret: example.secret, startedAt: date)
            #expect(try JSONDecoder().decode(SavedLogin.self, from: encoder.encode(record)).startedAt == date)
        }
    }

    /// What earlier versions wrote: a number from `FileSavedLoginStore`, a text from a store of an app.
    @Test("the date of an earlier version is read", arguments: ["726000000.125", "\"2024-01-03T18:40:00Z\""])
    func theDateOfAnEarlierVersion(_ text: String) throws {
        let record = try JSONEncoder().encode(Example.record())
        var json = try #require(try JSONSerialization.jsonObject(with: record) as? [String: Any])
        json["started_at"] = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let read = try decoder.decode(SavedLogin.self, from: JSONSerialization.data(withJSONObject: json))
        #expect(read.startedAt.timeIntervalSinceReferenceDate.rounded(.down) == 726_000_000)
    }

    /// A record of a later version has more members, and one of an earlier version has fewer.
    @Test("records of other versions can be read") func otherVersionsCanBeRead() async throws {
        try await self.store.save(Example.record())
        let record = try #require(try await self.store.all().first)
        let url = self.file(record)
        var json = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
        json["new"] = ["a": 1]
        for name in ["opened", "links", "return_prefixes", "is_acknowledged"] { json[name] = nil }
        try JSONSerialization.data(withJSONObject: json).write(to: url)
        #expect(try await self.store.all() == [record])
    }
}
