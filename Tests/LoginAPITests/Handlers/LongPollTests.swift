import HTTPServer
import HTTPWire
import Logins
import Synchronization
import TestSupport
import Testing

@testable import LoginAPI

/// Tests long polls: changes wake them, time ends them, newer ones displace them, and none is kept.
@Suite(.timeLimit(.minutes(1))) struct LongPollTests {
    static let known: Fields = [.prefer: "wait=25", .ifNoneMatch: "W/\"1\""]

    @Test func `a poll without a validator waits until the end`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        async let held = app.poll([.prefer: "wait=25"])
        #expect(await app.bench.longPolls(1))
        try await app.finish()
        let answer = try await held
        #expect(answer.status == .ok)
        #expect(answer.json["status"] == "completed")
        #expect(answer.fields[.preferenceApplied] == "wait=25")
        // The response is sent before the waiting has ended.
        #expect(await app.bench.longPolls(0))
    }

    /// Sources: K9.
    @Test func `a poll with a validator waits until the next version`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        app.bench.provider.become(slow: true)
        async let held = app.poll(Self.known)
        #expect(await app.bench.longPolls(1))
        try await app.finish()
        let answer = try await held
        #expect(answer.json["status"] == "exchanging")
        #expect(answer.fields[.etag] == "W/\"2\"")
        app.bench.provider.become(slow: false)
        let end = try await app.poll([.prefer: "wait=25", .ifNoneMatch: "W/\"2\""])
        #expect(end.json["status"] == "completed")
    }

    /// Sources: D41.
    @Test func `a poll whose time is up is not modified`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        let start = ContinuousClock.now
        let answer = try await app.poll([.prefer: "wait=1", .ifNoneMatch: "W/\"1\""])
        #expect(ContinuousClock.now - start >= .milliseconds(900))
        #expect(answer.status == .notModified)
        #expect(answer.body.isEmpty)
        #expect(answer.fields[.etag] == "W/\"1\"")
        #expect(answer.fields[.preferenceApplied] == "wait=1")
        #expect(answer.fields[.cacheControl] == "no-store, no-transform")
        // The response is sent before the waiting has ended.
        #expect(await app.bench.longPolls(0))
    }

    @Test func `a poll without a validator gets the login when its time is up`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        let answer = try await app.poll([.prefer: "wait=1"])
        #expect(answer.json["status"] == "pending")
    }

    /// The login expires during the long poll.
    @Test func `the login's own deadline ends a poll`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        app.bench.clock.move(by: .milliseconds(599_500))
        async let held = app.poll([.prefer: "wait=25"])
        #expect(await app.bench.longPolls(1))
        app.bench.clock.move(by: .seconds(1))
        let answer = try await held
        #expect(answer.json["status"] == "expired")
        #expect(answer.json["reason"]?["code"] == "timeout")
    }

    /// At most two wait; the third ends the first at once, and the other two continue.
    @Test func `a newer poll ends the oldest`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        let answers = Mailbox<(Int, Response)>()
        for number in 1...3 {
            Task { answers.put((number, try await app.poll(Self.known))) }
            #expect(await app.bench.longPolls(min(number, 2)))
            if number < 3 { try await Task.sleep(for: .milliseconds(20)) }
        }
        let first = try #require(await answers.next())
        #expect(first.0 == 1)
        #expect(first.1.status == .notModified)
        #expect(await app.bench.longPolls(2))
        #expect(answers.isEmpty)
        _ = try await app.post("cancel")
        let rest = await answers.take(2)
        #expect(Set(rest.map(\.0)) == [2, 3])
        #expect(rest.allSatisfy { $0.1.json["status"] == "cancelled" })
    }

    @Test func `a client that leaves is forgotten`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        let gone = Mailbox<@Sendable () -> Void>()
        let answers = Mailbox<Response>()
        let head = RequestHead(
            .get, try #require(Target(app.path)), fields: app.fields([.prefer: "wait=25"]))
        app.bench.start(
            Request(head: head), from: try #require(IPAddress("192.0.2.1")), onGone: { gone.put($0) },
            respond: { answers.put($0) })
        let leave = try #require(await gone.next())
        #expect(await app.bench.longPolls(1))
        app.bench.loop.execute(leave)
        #expect(await app.bench.longPolls(0))
        _ = try await app.post("cancel")
        #expect(answers.isEmpty)
    }

    /// Others need the connection: the poll is answered as if its time were up. It costs no poll that is answered at
    /// once, so the client can ask again.
    @Test(arguments: [known, [.prefer: "wait=25"], [.accept: "text/event-stream"]] as [Fields])
    func `a poll that gives way is answered with what is true`(_ fields: Fields) async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        let (held, answers) = (Mailbox<@Sendable (HoldEnd) -> Void>(), Mailbox<Response>())
        for _ in 0..<(fields[.accept] == nil ? 20 : 4) {
            let head = RequestHead(.get, try #require(Target(app.path)), fields: app.fields(fields))
            app.bench.start(
                Request(head: head), from: try #require(IPAddress("192.0.2.1")), onGone: { _ in },
                onHold: { held.put($0) }, respond: { answers.put($0) })
            let giveWay = try #require(await held.next())
            #expect(await app.bench.longPolls(1))
            app.bench.loop.execute {
                giveWay(.placeNeeded)
                giveWay(.placeNeeded)
            }
            let answer = try #require(await answers.next())
            #expect(answer.status == (fields[.ifNoneMatch] == nil ? .ok : .notModified))
            #expect(await app.bench.longPolls(0))
        }
        #expect(answers.isEmpty)
    }

    @Test func `before the server stops everybody is answered with what is true`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        async let held = app.poll(Self.known)
        #expect(await app.bench.longPolls(1))
        app.bench.handler.stopLongPolls()
        await app.bench.flow.finish()
        #expect(try await held.status == .notModified)
        let last = try await app.poll([.prefer: "wait=25"])
        #expect(last.json["status"] == "pending")
        #expect((1...500).contains(last.json["poll"]?["after_ms"]?.integer ?? 0), "not all in the same moment")
    }

    /// Many waiting requests are answered one after the other when we stop, and return one after the other.
    @Test func `many clients are not sent away in one moment`() {
        let longPolls = LongPolls()
        #expect(longPolls.pauseForClients == 0)
        longPolls.stop(held: 20_000)
        #expect(!longPolls.areAllowed)
        let pauses = (0..<1000).map { _ in longPolls.pause / .milliseconds(1) }
        let after = (0..<1000).map { _ in longPolls.pauseForClients }
        #expect(pauses.allSatisfy { 0...2000 ~= $0 } && after.allSatisfy { 1...2000 ~= $0 })
        #expect(Set(pauses).count > 500)
        #expect(Set(after).count > 500)
        let few = LongPolls()
        few.stop(held: 3)
        #expect(few.pause == .zero, "nobody waits for a jitter that few do not need")
    }

    @Test func `a poll of a final login does not wait`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        let end = try await app.post("cancel")
        let tag = try #require(end.fields[.etag])
        #expect(try await app.poll([.prefer: "wait=25", .ifNoneMatch: tag]).status == .notModified)
        #expect(try await app.poll([.prefer: "wait=25"]).json["status"] == "cancelled")
    }

    @Test func `only polls without wait are throttled`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        for _ in 0..<5 { #expect(try await app.poll().status == .ok) }
        let answer = try await app.poll()
        #expect(answer.brief == "429 polling_too_fast")
        #expect(["1", "2"].contains(answer.fields[.retryAfter]))
        #expect(try await app.poll([.prefer: "wait=1"]).status == .ok)
        // A caller without the secret cannot use them up.
        let other = BenchApp(bench: app.bench)
        _ = try await other.create()
        for _ in 0..<10 { _ = try await app.bench.send(.get, other.path, app.bearer) }
        #expect(try await other.poll().status == .ok)
    }

    /// Something on the way has changed the validator beyond recognition. Such a client never spins: it is answered at
    /// once while the login has polls left, and then held.
    @Test(arguments: ["\"x\"", "\"3-gzip-gzip\"", "W/\"5d41402abc4b2a76\""])
    func `a poll with an unreadable validator waits too`(_ tag: String) async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        let fields: Fields = [.prefer: "wait=25", .ifNoneMatch: tag]
        for _ in 0..<5 { #expect(try await app.poll(fields).json["status"] == "pending") }
        async let held = app.poll(fields)
        #expect(await app.bench.longPolls(1))
        app.bench.provider.become(slow: true)
        try await app.finish()
        let answer = try await held
        #expect(answer.status == .ok)
        #expect(answer.json["status"] == "exchanging", "the next change ends it")
        app.bench.provider.become(slow: false)
        _ = try await app.poll([.prefer: "wait=25", .ifNoneMatch: "\"2\""])
    }

    /// It gets the login when its time is up (RFC 9110 §13.1.2), and the wait costs no poll.
    @Test func `a poll with an unreadable validator gets the login at the end`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        for _ in 0..<5 { _ = try await app.poll() }
        let start = ContinuousClock.now
        let answer = try await app.poll([.prefer: "wait=1", .ifNoneMatch: "\"x\""])
        #expect(ContinuousClock.now - start >= .milliseconds(900))
        #expect(answer.status == .ok)
        #expect(answer.json["status"] == "pending")
    }

    /// A version that is not the present one is never held.
    @Test(arguments: ["\"7\"", "\"7-gzip\"", "W/\"0\""])
    func `another version is answered at once`(_ tag: String) async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        for _ in 0..<5 { #expect(try await app.poll([.prefer: "wait=25", .ifNoneMatch: tag]).status == .ok) }
        #expect(try await app.poll([.prefer: "wait=25", .ifNoneMatch: tag]).brief == "429 polling_too_fast")
    }
}
