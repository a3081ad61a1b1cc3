import Foundation
import SwitchbackClient
import Testing

@testable import SwitchbackTesting

/// Every case of a login, played through what an app has: a client, its login, and what the user does.
@Suite struct CasePlayTests {
    private static let rows = Result { try LoginCase.all() }

    @Test("an app sees and sends what each case says") func eachCase() async throws {
        let rows = try Self.rows.get()
        #expect(rows.count > 400)
        // A few at a time: each has a server and a clock of its own.
        for start in stride(from: 0, to: rows.count, by: 8) {
            await withTaskGroup(of: Void.self) { group in
                for row in rows[start..<min(start + 8, rows.count)] {
                    group.addTask {
                        do {
                            let differences = try await CasePlay(row).play()
                            #expect(differences == [], "\(row)")
                        } catch {
                            Issue.record("\(row): \(error)")
                        }
                    }
                }
            }
        }
    }

    /// Steps that the client does not do, and a part of what is then said.
    static let wrong: [(steps: String, words: String)] = [
        (#"{"event": "start", "effects": [{"show": "starting"}]}"#, "it sends"),
        (#"{"event": "start", "effects": [{"show": "starting"}, {"call": "poll"}]}"#, "it sends"),
        (#"{"event": "start", "effects": [{"call": "create"}]}"#, "it shows"),
        (#"{"event": "start", "effects": [{"show": "paused"}, {"call": "create"}]}"#, "it shows"),
        (#""$begun", {"event": "foreground", "effects": [{"show": "paused"}]}"#, "does not do all"),
    ]

    @Test("a client that does something else is noticed", arguments: wrong.indices)
    func somethingElse(_ index: Int) async throws {
        let row = try Self.row(Self.wrong[index].steps)
        let differences = try await CasePlay(row).play()
        #expect(differences.contains { $0.contains(Self.wrong[index].words) }, "\(differences)")
    }

    /// Steps that nobody can play.
    static let unreadable = [
        #"{"event": "glances"}"#, #"{"event": "start", "effects": [{"call": "creat"}]}"#, #"{"event": "timer"}"#,
        #"{"event": "no_response"}"#, #"{"event": "start", "effects": [{"call": "create", "body": "$nothing"}]}"#,
    ]

    @Test("a step that nobody can play is an error", arguments: unreadable)
    func aStepThatNobodyCanPlay(_ step: String) async throws {
        await #expect(throws: LoginCase.FormatError.self) {
            _ = try await CasePlay(Self.row(step)).play()
        }
    }

    /// A folder with one case of these steps.
    private static func row(_ steps: String) throws -> LoginCase {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.copyItem(
            at: LoginCase.folder.appendingPathComponent("given.json"), to: folder.appendingPathComponent("given.json"))
        let text = #"{"reducer": "login", "cases": [{"name": "n", "rule": "r", "steps": [\#(steps)]}]}"#
        try Data(text.utf8).write(to: folder.appendingPathComponent("one.json"))
        return try #require(try LoginCase.all(in: folder).first)
    }

    @Test("an app gets the client and its login at each start") func anAppGetsItsLogin() async throws {
        let starts = Starts()
        let row = try #require(try Self.rows.get().first { $0.file == "kill.json" && $0.steps.count > 3 })
        let play = CasePlay(row) { _, session in starts.add(session?.request.provider) }
        #expect(try await play.play() == [])
        let kills = row.steps.filter { $0["event"]?.string == "killed" }.count
        #expect(kills > 0 && starts.all.count >= kills && starts.all.contains("mitid"))
    }

    // Safe because the list is touched only while the lock is held.
    private final class Starts: @unchecked Sendable {
        private let lock = NSLock()
        private var list: [String?] = []

        func add(_ provider: String?) {
            self.lock.lock()
            self.list.append(provider)
            self.lock.unlock()
        }

        var all: [String?] {
            self.lock.lock()
            defer { self.lock.unlock() }
            return self.list
        }
    }
}
