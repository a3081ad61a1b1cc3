import ConfigurationSamples
import Testing

@testable import ServerConfiguration

/// Tests what a reload reports as changed: settings by their paths, files by theirs, never a value.
@Suite struct SettingChangesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let old: String
        let new: String
        let taken: [String]
        var waiting: [String] = []

        var testDescription: String { "\(self.old) becomes \(self.new)" }
    }

    @Test(arguments: [
        Row(old: "store: memory", new: "store: memory", taken: []),
        Row(old: "name: Shop", new: "name: Store", taken: ["apps.shop.name"]),
        Row(old: "hunter2", new: "hunter3", taken: ["brokers.idura.client_secret"]),
        Row(old: "store: memory", new: "store: memory\ndrain_delay: 9", taken: ["drain_delay"]),
        Row(old: "store: memory", new: "store: memory\nlisten: 127.0.0.1:1", taken: [], waiting: ["listen"]),
        Row(old: "store: memory", new: "store: sqlite", taken: [], waiting: ["store"]),
        Row(
            old: "  header: none", new: "  header: forwarded\n  trusted: [10.0.0.0/8]", taken: [],
            waiting: ["proxy.header", "proxy.trusted"]),
        Row(
            old: "store: memory", new: "store: memory\npostgresql: {password: a}", taken: ["postgresql.password"]),
    ]) func `a changed setting is named by its path`(_ row: Row) throws {
        let former = try Configuration.load(SampleConfiguration.source()).settings
        let settings = try Configuration.load(SampleConfiguration.source(row.old, row.new)).settings
        let changes = SettingChanges(from: former, to: settings)
        #expect(changes.applied == row.taken)
        #expect(changes.needingRestart == row.waiting)
    }

    /// Only the password of a URL is taken: a server does not move to another database.
    @Test(arguments: [
        ("postgresql://us:a@db/x", "postgresql://us:b@db/x", true),
        ("postgresql://us@db/x", "postgresql://us:b@db/x", true),
        ("postgresql://us:a@db/x", "host=db user=us dbname=x password=b", true),
        ("postgresql://us:a@db/x", "postgresql://us:a@db2/x", false),
        ("postgresql://us:a@db/x", "postgresql://us:a@db/y", false),
        ("postgresql://us:a@db/x", "postgresql://them:a@db/x", false),
        ("postgresql://us:a@db/x", "postgresql://us:b@db/x?sslmode=verify-full", false),
    ])
    func `only a new password of a database is applied`(_ old: String, _ new: String, _ isTaken: Bool) throws {
        for name in ["url", "listen_url"] {
            let more = name == "url" ? "" : "url: host=db, "
            func settings(_ url: String) throws -> EffectiveSettings {
                let lines = "store: postgresql\npostgresql: {\(more)\(name): \"\(url)\"}"
                return try Configuration.load(SampleConfiguration.source("store: memory", lines)).settings
            }
            let changes = SettingChanges(from: try settings(old), to: try settings(new))
            #expect(changes.applied == (isTaken ? ["postgresql.\(name)"] : []))
            #expect(changes.needingRestart == (isTaken ? [] : ["postgresql.\(name)"]))
        }
    }

    /// A name that is added or removed counts as all of its settings that have a value.
    @Test func `a new app counts as all its settings`() throws {
        let former = try Configuration.load(SampleConfiguration.source()).settings
        let more = SampleConfiguration.source("  shop:", "  kiosk: {name: Kiosk, release: immediate}\n  shop:")
        let changes = SettingChanges(from: former, to: try Configuration.load(more).settings)
        #expect(changes.applied.contains("apps.kiosk.name") && changes.applied.contains("apps.kiosk.release"))
        #expect(changes.applied.allSatisfy { $0.hasPrefix("apps.kiosk.") })
    }

    @Test func `changed files are named by their paths`() throws {
        let read = FileDigests.Recorder(FileAccess(["a": [1], "b": [2]]))
        _ = try read.access.read("a")
        _ = try read.access.read("b")
        _ = try? read.access.read("c")
        let digest = read.digest
        #expect(digest.reread(FileAccess(["a": [1], "b": [2], "d": [9]])) == digest, "d was not asked for")
        let rows: [(files: [String: [UInt8]], changed: [String])] = [
            (["a": [1], "b": [3]], ["b"]), (["a": [1]], ["b"]), (["a": [1], "b": [2], "c": []], ["c"]),
            (["a": [], "b": [], "c": []], ["a", "b", "c"]),
        ]
        for row in rows {
            #expect(digest.reread(FileAccess(row.files)).changes(since: digest) == row.changed, "\(row.files)")
        }
    }
}
