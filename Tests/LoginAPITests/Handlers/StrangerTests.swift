import Base
import HTTPWire
import Logins
import OpenIDConnect
import Synchronization
import TestSupport
import Testing

@testable import LoginAPI

/// Tests what a stranger who knows only a login's id can do, and what strangers can cost us.
@Suite(.timeLimit(.minutes(1))) struct StrangerTests {
    /// Every request about a login.
    enum Attempt: CaseIterable {
        case poll, hold, stream, handleReturn, code, cancel, delete, page, pageState

        func send(_ path: String, as stranger: BenchApp, pageOf id: LoginID) async throws -> Response {
            let bench = stranger.bench
            var fields = stranger.bearer
            switch self {
            case .poll: return try await bench.send(.get, path, fields)
            case .hold:
                fields[.prefer] = "wait=25"
                return try await bench.send(.get, path, fields)
            case .stream:
                fields[.accept] = "text/event-stream"
                return try await bench.send(.get, path, fields)
            case .handleReturn, .code:
                fields[.contentType] = "application/json"
                let body = self == .code ? "{\"code\": \"123456\"}" : "{\"url\": null}"
                return try await bench.send(.post, "\(path)/return", fields, body: body)
            case .cancel:
                fields[.prefer] = "wait=25"
                return try await bench.send(.post, "\(path)/cancel", fields)
            case .delete: return try await bench.send(.delete, path, fields)
            case .page, .pageState:
                let token = Base64URL.encode((Base64URL.decode("\(id)") ?? []) + RandomBytes.make(48))
                guard self == .pageState else { return try await bench.send(.get, "/done/\(token)") }
                return try await bench.send(.get, "/done/\(token)/state", [.prefer: "wait=25"])
            }
        }
    }

    /// The app's long polls continue, and the store gets no request.
    @Test(arguments: Attempt.allCases)
    func `a stranger who knows only an ID ends nothing`(_ attempt: Attempt) async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        let answers = Mailbox<Response>()
        for _ in 0..<2 { Task { answers.put(try await app.poll(LongPollTests.known)) } }
        #expect(await app.bench.longPolls(2))
        let stranger = BenchApp(bench: app.bench)
        let loads = app.bench.store.loads
        for _ in 0..<5 {
            let answer = try await attempt.send(app.path, as: stranger, pageOf: app.secret.loginID)
            #expect(answer.status == .notFound)
        }
        #expect(app.bench.store.loads == loads)
        #expect(answers.isEmpty)
        #expect(app.bench.flow.waitingCount == 2)
        _ = try await app.post("cancel")
        #expect(await answers.take(2).allSatisfy { $0.json["status"] == "cancelled" })
    }

    /// Browsers that wait for a page displace no polls of the app.
    @Test func `waiting pages displace no polls`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        app.bench.provider.become(slow: true)
        let done = try await app.finish()
        let answers = Mailbox<Response>()
        let exchanging: Fields = [.prefer: "wait=25", .ifNoneMatch: "W/\"2\""]
        for _ in 0..<2 { Task { answers.put(try await app.poll(exchanging)) } }
        #expect(await app.bench.longPolls(2))
        let pages = Mailbox<Response>()
        for _ in 0..<2 { Task { pages.put(try await app.bench.send(.get, done)) } }
        #expect(await app.bench.longPolls(4))
        #expect(answers.isEmpty && pages.isEmpty)
        app.bench.provider.become(slow: false)
        #expect(await answers.take(2).allSatisfy { $0.json["status"] == "completed" })
        #expect(await pages.take(2).allSatisfy { $0.status == .ok })
    }

    // MARK: - Answers at once

    /// Each response is signed anew, so waiting for the present state does not avoid the limit.
    @Test(
        arguments: [
            [:], [.prefer: "wait=1"], [.prefer: "wait=25", .ifNoneMatch: "W/\"0\""], [.accept: "text/event-stream"],
        ] as [Fields])
    func `polls that are answered at once share one budget`(_ fields: Fields) async throws {
        let app = BenchApp(bench: try HandlerBench())
        try await app.finish()
        while try await app.poll([.prefer: "wait=25"]).json["status"] != "completed" {}
        var statuses: [Int] = []
        for _ in 0..<20 { statuses.append(try await app.poll(fields).status.rawValue) }
        #expect(statuses.count { $0 == 200 } <= 6, "\(statuses)")
        #expect(statuses.last == 429)
    }

    /// We do not count a poll that waited.
    @Test func `polls that wait are not throttled`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        for _ in 0..<5 { _ = try await app.poll() }
        #expect(try await app.poll([.prefer: "wait=1", .ifNoneMatch: "W/\"1\""]).status == .notModified)
    }

    // MARK: - What a broker is asked

    /// With the cookie of its authorization attempt a browser continues that attempt, and each time we may call the
    /// broker again.
    @Test func `one login is not started over and over`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        let link = try #require(try await app.create().json["next"]?["url"]?.string)
        let opened = try await app.bench.load(link)
        #expect(opened.status == .seeOther)
        let cookie: Fields = [.cookie: String(try #require(opened.fields[.setCookie]).prefix { $0 != ";" })]
        var statuses: [Int] = []
        for _ in 0..<50 { statuses.append(try await app.bench.load(link, cookie).status.rawValue) }
        #expect(statuses.first == 303)
        #expect(statuses.count { $0 == 303 } <= 5)
        let refused = try await app.bench.load(link, cookie)
        Self.expectBusy(refused, 1...10)
        #expect(refused.fields[.contentType]?.hasPrefix("text/html") == true)
        #expect(refused.text.contains("id=\"back\""), "it leads back to the app of this login")
        #expect(refused.text.contains("id=\"again\" class=\"button\" href=\"\""))
        // Another login can still be opened.
        _ = try await BenchApp(bench: app.bench).open()
    }

    /// The page says that there were too many requests, and for how long to wait. Every service is well.
    private static func expectBusy(_ page: Response, _ wait: ClosedRange<Int>) {
        #expect(page.status == .tooManyRequests)
        #expect(wait.contains(page.fields[.retryAfter].flatMap { Int($0) } ?? 0), "\(page.fields)")
        #expect(page.text.contains("<h1>We are very busy right now</h1>"))
        let reload = page.fields[.refresh].flatMap { Int($0) } ?? 0
        #expect(reload % 10 == 0 && reload >= wait.lowerBound && reload <= wait.upperBound)
        let told = reload < 120 ? "\(reload) seconds" : "\(reload / 60) minutes"
        #expect(page.text.contains("by itself in about \(told)."))
        #expect(!page.text.contains("not responding"))
    }

    @Test func `one address has a budget for brokers`() async throws {
        let bench = try HandlerBench { $0.rates.brokerCallsPerAddress = Rate(burst: 3, interval: .seconds(600)) }
        for _ in 0..<3 { _ = try await BenchApp(bench: bench).open() }
        let link = try #require(try await BenchApp(bench: bench).create().json["next"]?["url"]?.string)
        Self.expectBusy(try await bench.load(link), 590...600)
        let path = link.replacing("https://login.example.com", with: "")
        #expect(try await bench.send(.get, path, from: "192.0.2.77").status == .seeOther)
    }

    /// A code costs a request too, even an invented one; the browser may bring the same again.
    @Test func `exchanges have a budget of their own`() async throws {
        let bench = try HandlerBench { $0.rates.brokerCallsPerAddress = Rate(burst: 2, interval: .seconds(600)) }
        for _ in 0..<2 { try await BenchApp(bench: bench).finish() }
        let secret = BenchApp(bench: bench)
        let link = try #require(try await secret.create().json["next"]?["url"]?.string)
        let path = link.replacing("https://login.example.com", with: "")
        let location = try #require(try await bench.send(.get, path, from: "192.0.2.77").fields[.location])
        let query = Dictionary(
            try FormBody.parse(String(location.split(separator: "?")[1])).map { ($0.name, $0.value) },
            uniquingKeysWith: { first, _ in first })
        let code = bench.provider.approve(nonce: try #require(query["nonce"]))
        let callback = FormBody.encode([Parameter("code", code), Parameter("state", query["state"] ?? "")])
        Self.expectBusy(try await bench.send(.get, "/callback/fake?\(callback)"), 590...600)
        #expect(try await bench.send(.get, "/callback/fake?\(callback)", from: "192.0.2.78").status == .seeOther)
        // A forged one causes no request.
        for _ in 0..<5 {
            let forged = try await bench.send(.get, "/callback/fake?code=1&state=2", from: "192.0.2.79")
            #expect(forged.status == .seeOther)
        }
    }

    // MARK: - Who shares an address

    /// The phones of a mobile carrier: 2,000 logins a minute from one address.
    @Test func `two thousand logins from one address pass`() throws {
        let limits = RequestLimits()
        let phone = try #require(IPAddress("192.0.2.1"))
        for number in 0..<4000 {
            let now = Duration.milliseconds(30 * number)
            try limits.takeCreate(from: phone, at: now)
            try limits.takeCreate(for: "demo", from: phone, at: now)
            try limits.take(.attempt(of: PollSecret.make().loginID, isFirst: true), from: phone, at: now)
            try limits.take(.exchange, from: phone, at: now)
        }
    }

    /// A /48 that never uses a /64 twice gets neither more than its share, nor the whole bucket of the app.
    @Test func `an IPv6 network is counted as one`() throws {
        var rates = RequestLimits.Rates()
        rates.createPerAddress = Rate(perMinute: 1600)
        rates.createPerApp = Rate(perMinute: 1000)
        let limits = RequestLimits(rates)
        var taken = 0
        for number in 0..<10_000 {
            let attacker = IPAddress(v6: 0x2001_0db8_0001_0000 | UInt64(number), 1)
            do {
                try limits.takeCreate(from: attacker, at: .zero)
                try limits.takeCreate(for: "demo", from: attacker, at: .zero)
                taken += 1
            } catch {}
        }
        #expect(taken == 750)
        for number in 1...200 as ClosedRange<UInt32> {
            let phone = IPAddress(v4: 0xC000_0200 | number)
            try limits.takeCreate(from: phone, at: .zero)
            try limits.takeCreate(for: "demo", from: phone, at: .zero)
        }
    }

    @Test(arguments: [(0, 100), (1, 25), (2, 6)])
    func `a smaller network has a smaller share`(_ row: (Int, Int)) throws {
        var rates = RequestLimits.Rates()
        rates.createPerAddress = Rate(burst: 100, interval: .seconds(1))
        let limits = RequestLimits(rates)
        // Addresses of one /48, of one /56 in it, and of one /64 in that.
        let networks: [(UInt64) -> UInt64] = [{ $0 << 8 }, { $0 & 0xFF }, { _ in 0 }]
        let count = (0..<1000 as Range<UInt64>).count { number in
            let address = IPAddress(v6: 0x2001_0db8_0001_0000 | networks[row.0](number) & 0xFFFF, number)
            return (try? limits.takeCreate(from: address, at: .zero)) != nil
        }
        #expect(count == row.1)
    }
}
