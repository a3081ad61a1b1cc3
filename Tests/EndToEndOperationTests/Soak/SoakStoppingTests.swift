import EndToEndSupport
import Foundation
import Sandbox
import TestSupport
import Testing

/// Sends SIGTERM to a server with long polls and code exchanges in progress: each poll gets a whole response, each
/// exchange is completed, and after a start every login is as its app was told. The soak uses 2,000 polls and 50
/// exchanges, `make check` a tenth of that.
@Suite(.blocking, .serialized, .enabled(if: TestTier.isWhole || TestTier.isSoak, "make check and make soak run it"))
struct SoakStoppingTests {
    private static let atOnce = 16
    /// The most connections that the server opens to one host.
    private static let connections = 16

    @Test func `nothing is lost and nobody is cut off`() async throws {
        // Half of the polls end with a 200, half with a 304.
        let polls = TestTier.isSoak ? TestTier.soakCount(1000, atLeast: 50) * 2 : 200
        let exchanges = TestTier.isSoak ? TestTier.soakCount(50, atLeast: 5) : 5
        let folder = try SoakStage.makeFolder()
        let stage = try SoakStage(SoakStore.sqlite.open(in: folder), in: folder)
        let (url, server) = (stage.url, stage.servers[0])
        let progress = SoakProgress("SIGTERM with \(polls) held polls and \(exchanges) exchanges")
        try await server.start()
        let waiting = try await Self.apps(polls, of: url)
        let held = try waiting.enumerated().map { number, app in
            // Every other poll knows the current version, and gets a 304.
            try RawLongPoll(app, port: server.port, etag: number % 2 == 0 ? "W/\"1\"" : nil)
        }
        stage.sandbox.pauseTokenEndpoint()
        let inExchange = try await Self.apps(exchanges, of: url, browsing: true)
        // The others wait for one of the server's connections to that broker, and are in progress too.
        try await stage.sandbox.waitForHeldTokenRequests(min(exchanges, Self.connections))
        try await server.polls(areHeld: polls)

        let start = ContinuousClock.now
        server.beginToStop()
        let answers = await RawLongPoll.read(held)
        let answered = ContinuousClock.now - start
        stage.sandbox.resumeTokenEndpoint()
        try await server.waitForEnd()
        let ended = ContinuousClock.now - start
        let counts = Dictionary(grouping: answers, by: \.what).mapValues(\.count)
        let pauses = answers.compactMap(\.pause)
        progress.say(
            "answers \(counts.sorted { $0.key < $1.key }), the last after \(answered), the end after \(ended), "
                + "after_ms \(pauses.min() ?? -1) to \(pauses.max() ?? -1), \(Set(pauses).count) different")
        #expect(counts == ["200 pending": polls / 2, "304": polls / 2])
        #expect(pauses.allSatisfy { $0 > 0 })
        #expect(Set(pauses).count > pauses.count / 8, "the apps do not all poll again at the same time")
        #expect(ended < .seconds(30))

        try await server.start()
        let pending = try await Self.statuses(of: waiting)
        #expect(pending == ["pending": polls])
        let completed = try await Self.statuses(of: inExchange)
        #expect(completed == ["completed": exchanges])
        #expect(stage.sandbox.requestLog.tokenRequests.values.allSatisfy { $0 == 1 }, "each code was sent once")
        try await stage.stop()
    }

    /// Starts logins; with `browsing`, takes them up to the callback.
    private static func apps(_ count: Int, of url: String, browsing: Bool = false) async throws -> [PhoneApp] {
        try await Self.each(Array(0..<count)) { _ in
            let app = PhoneApp(url)
            let created = try await app.create("demo", ["app": "demo"])
            guard browsing else { return app }
            var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
            // This is the form that the broker's page posts, and not the page behind it.
            _ = try await ScriptedBrowser.send(try await browser.callback(of: .formPost))
            return app
        }
    }

    private static func statuses(of apps: [PhoneApp]) async throws -> [String: Int] {
        let statuses = try await Self.each(apps) { app in
            let answer = try await app.poll()
            let words = [answer.json?["status"]?.string, answer.json?["reason"]?["code"]?.string].compactMap { $0 }
            return words.isEmpty ? "\(answer.status) \(answer.text)" : words.joined(separator: " ")
        }
        return Dictionary(grouping: statuses) { $0 }.mapValues(\.count)
    }

    /// Runs `work` for each element, for at most `atOnce` of them at a time.
    private static func each<Element: Sendable, Result: Sendable>(
        _ elements: [Element], _ work: @escaping @Sendable (Element) async throws -> Result
    ) async throws -> [Result] {
        try await withThrowingTaskGroup(of: Result.self) { group in
            var results: [Result] = []
            for (number, element) in elements.enumerated() {
                if number >= Self.atOnce, let result = try await group.next() { results.append(result) }
                group.addTask { try await work(element) }
            }
            for try await result in group { results.append(result) }
            return results
        }
    }
}
