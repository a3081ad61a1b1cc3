import HTTPServer
import HTTPWire
import Logins
import TestSupport
import Testing

/// Tests event streams: each version once, comments in between, an end with the login, and everything that holds for
/// long polls.
@Suite(.timeLimit(.minutes(1))) struct EventStreamTests {
    @Test func `each version is told once`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        let reader = try EventReader(app)
        #expect(await reader.take(3) == ["200", "retry:", "1 pending"])
        let head = try #require(await reader.head.next())
        #expect(head.fields[.contentType] == "text/event-stream")
        #expect(head.fields[.cacheControl] == "no-store, no-transform")
        #expect(head.fields[.xAccelBuffering] == "no")
        #expect(head.fields[.vary] == "accept")
        #expect(head.fields["request-id"] != nil)
        #expect(head.fields[.etag] == nil)
        #expect(await app.bench.longPolls(1))
        app.bench.provider.become(slow: true)
        async let finished = app.finish()
        #expect(await reader.take(1) == ["2 exchanging"])
        app.bench.provider.become(slow: false)
        #expect(await reader.take(2) == ["3 completed", "end"])
        _ = try await finished
        // The end is sent during a look, and the waiting ends after it.
        #expect(await app.bench.longPolls(0))
        #expect(reader.lines.isEmpty)
    }

    /// Last-Event-ID names the version that the reader has. A malformed one counts as none.
    @Test(arguments: [
        ("1", ["200", "retry:", "2 cancelled", "end"]), ("0", ["200", "retry:", "1 pending", "2 cancelled", "end"]),
        ("x", ["200", "retry:", "1 pending", "2 cancelled", "end"]),
        ("", ["200", "retry:", "1 pending", "2 cancelled", "end"]),
    ]) func `a version that is known is not told again`(_ known: String, _ lines: [String]) async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        let reader = try EventReader(app, lastEventID: known)
        #expect(await reader.take(lines.count - 2) == Array(lines.dropLast(2)))
        #expect(await app.bench.longPolls(1))
        _ = try await app.post("cancel")
        #expect(await reader.take(2) == Array(lines.suffix(2)))
    }

    /// A browser's reader reconnects after each end, and stops at a 204.
    @Test func `a reader that has the end is told to stop`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        _ = try await app.post("cancel")
        #expect(await (try EventReader(app)).take(4) == ["200", "retry:", "2 cancelled", "end"])
        #expect(await (try EventReader(app, lastEventID: "1")).take(4) == ["200", "retry:", "2 cancelled", "end"])
        let reader = try EventReader(app, lastEventID: "2")
        #expect(await reader.take(1) == ["204"])
        #expect(await reader.head.next()?.fields[.cacheControl] == "no-store")
    }

    @Test func `a comment shows that the stream is there`() async throws {
        let app = BenchApp(bench: try HandlerBench { $0.eventRhythm = .milliseconds(50) })
        _ = try await app.create()
        let reader = try EventReader(app)
        #expect(await reader.take(6) == ["200", "retry:", "1 pending", ":", ":", ":"])
        _ = try await app.post("cancel")
        var rest: [String] = []
        while rest.last != "end" { rest += await reader.take(1) }
        #expect(rest.filter { $0 != ":" } == ["2 cancelled", "end"])
        // Nothing comes after the end.
        try await Task.sleep(for: .milliseconds(500))
        #expect(reader.lines.isEmpty)
    }

    /// At most two long polls of one login, polls and streams together; a newer one ends the oldest.
    @Test func `a newer request ends the oldest`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        let first = try EventReader(app)
        #expect(await first.take(3).last == "1 pending")
        #expect(await app.bench.longPolls(1))
        async let poll = app.poll(LongPollTests.known)
        #expect(await app.bench.longPolls(2))
        let second = try EventReader(app, lastEventID: "1")
        #expect(await first.take(1) == ["end"])
        #expect(await app.bench.longPolls(2))
        let third = try EventReader(app, lastEventID: "1")
        #expect(try await poll.status == .notModified)
        for reader in [second, third] { #expect(await reader.take(2) == ["200", "retry:"]) }
        #expect(await app.bench.longPolls(2))
        _ = try await app.post("cancel")
        for reader in [second, third] { #expect(await reader.take(2) == ["2 cancelled", "end"]) }
    }

    @Test func `a reader that leaves is forgotten`() async throws {
        let app = BenchApp(bench: try HandlerBench { $0.eventRhythm = .milliseconds(50) })
        _ = try await app.create()
        let reader = try EventReader(app)
        #expect(await app.bench.longPolls(1))
        // One action ends the comments, one the waiting.
        let leave = await reader.leave.take(2)
        app.bench.loop.execute { for action in leave { action() } }
        #expect(await app.bench.longPolls(0))
        _ = await reader.lines.take(3)
        while !reader.lines.isEmpty { _ = await reader.lines.next() }
        try await Task.sleep(for: .milliseconds(400))
        #expect(reader.lines.isEmpty)
    }

    /// The reader learns when to reconnect, and finds another server.
    @Test func `a stream ends before the server stops`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        let reader = try EventReader(app)
        #expect(await reader.take(3).last == "1 pending")
        #expect(await app.bench.longPolls(1))
        app.bench.handler.stopLongPolls()
        await app.bench.flow.finish()
        #expect(await reader.take(2) == ["retry:", "end"])
        #expect(await (try EventReader(app)).take(5) == ["200", "retry:", "1 pending", "retry:", "end"])
    }

    @Test func `the login's own deadline ends a stream`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        app.bench.clock.move(by: .milliseconds(599_500))
        let reader = try EventReader(app)
        #expect(await reader.take(3).last == "1 pending")
        app.bench.clock.move(by: .seconds(1))
        #expect(await reader.take(2) == ["2 expired", "end"])
    }

    @Test func `a refused request gets no stream`() async throws {
        let bench = try HandlerBench()
        let (app, other) = (BenchApp(bench: bench), BenchApp(bench: bench))
        _ = try await app.create()
        #expect(await (try EventReader(other)).take(1) == ["404 unknown_login"])
        #expect(await (try EventReader(other, path: app.path)).take(1) == ["404 unknown_login"])
        #expect(await (try EventReader(app, path: "\(app.path)?token=x")).take(1) == ["400 secret_in_query"])
        let none = try await bench.send(.get, app.path, [.accept: "text/event-stream"])
        #expect(none.brief == "401 poll_secret_required")
        bench.store.become(available: false)
        #expect(await (try EventReader(app)).take(1) == ["503 store_unavailable"])
    }

    /// A stream ends if the login can no longer be read; a new request learns the reason.
    @Test func `an outage ends the stream`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        app.bench.clock.move(by: .milliseconds(599_500))
        let reader = try EventReader(app)
        #expect(await reader.take(3).last == "1 pending")
        #expect(await app.bench.longPolls(1))
        app.bench.store.become(available: false)
        #expect(await reader.take(1) == ["end"])
    }

    @Test func `HEAD gets only the head`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        let reader = try EventReader(app, method: .head)
        #expect(await reader.take(1) == ["200"])
        #expect(await app.bench.longPolls(0))
        #expect(reader.lines.isEmpty)
    }
}
