import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Two servers, each its own process, on one PostgreSQL: the app uses one and the browser the other, for the same
/// login.
@Suite(.blocking, .enabled(if: PostgresServer.isWanted && TestTier.isWhole, "takes long")) struct ManyServerTests {
    private let server: PostgresServer
    private let database: String
    private let role = "serving_\(UInt32.random(in: 0 ... .max))"
    private let stage: DurableStage

    /// The servers' role owns nothing: `switchback migrate` made the schema as another role.
    init() throws {
        self.server = try PostgresServer.shared()
        self.database = try self.server.makeDatabase()
        try self.server.run("CREATE ROLE \(self.role) LOGIN PASSWORD 'of-the-servers'")
        let url = self.server.url(self.database, user: self.role, password: "wrong")
        self.stage = try DurableStage(
            store: """
                store: postgresql
                postgresql: {url: "\(url)", password: of-the-servers, connections: 4, migrate: "off"}
                """)
        #expect(try self.stage.migrate(at: url, granting: self.role) == false, "it may not create the schema")
        let owner = self.server.url(self.database)
        #expect(try self.stage.migrate(at: owner, with: PostgresServer.password, granting: self.role))
    }

    /// The app creates the login at one server, and the browser returns at the other. The long poll at the first one
    /// ends.
    @Test func `a poll is woken by the other server`() async throws {
        let one = try await self.stage.serve()
        let (other, otherURL) = try await self.stage.serveBeside()
        for _ in 0..<5 {
            let app = PhoneApp(self.stage.url)
            let created = try await app.create("demo")
            let etag = try #require(created[.etag])
            let again = PhoneApp(otherURL, as: app)
            #expect(try await again.create("demo").status == 200, "both servers know the login")
            var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
            async let polled = (app.poll(wait: 20, etag: etag), ContinuousClock.now)
            let callback = try await browser.callback(of: .query)
            let elsewhere = callback.url.replacing(self.stage.url, with: otherURL)
            #expect(elsewhere != callback.url)
            _ = try await ScriptedBrowser.send(
                ScriptedBrowser.Submission(method: callback.method, url: elsewhere, body: callback.body))
            let taken = ContinuousClock.now
            let (answer, answered) = try await polled
            #expect(answer.status == 200)
            #expect(answered - taken < .seconds(3), "the notification woke it, not the next poll of the database")
            #expect(try await app.waitForEnd()["status"]?.string == "completed")
        }
        #expect(self.stage.sandbox.count(of: .token) == 5)
        await self.stop(one, other)
    }

    /// With `reuse_port` the kernel distributes the connections, so a create and its polls reach either server.
    @Test func `two processes share one port`() async throws {
        let sharing = ["/usr/bin/env", "SWITCHBACK_REUSE_PORT=true"]
        let one = try await self.stage.serve(by: sharing)
        let operations = "127.0.0.1:\(try FreePort.find())"
        let other = try await DurableStage.ready(
            try self.stage.start(by: sharing, ["--operations-listen", operations]), "http://\(operations)")
        for _ in 0..<20 {
            let app = PhoneApp(self.stage.url)
            #expect(try await app.create("demo").status == 201)
            #expect(try await app.poll().status == 200)
        }
        for metrics in [self.stage.operations, "http://\(operations)"] {
            let text = try await TestClient.send("GET", "\(metrics)/metrics").text
            #expect(text.contains("switchback_http_requests_total{route=\"create\""), "both got requests: \(text)")
        }
        one.send(SIGTERM)
        #expect(one.end())
        #expect(try await PhoneApp(self.stage.url).create("demo").status == 201, "the other server continues")
        await self.stop(other)
    }

    /// A change at the other server need not matter to the app: the long poll continues.
    @Test func `a poll waits while nothing is new for the app`() async throws {
        let one = try await self.stage.serve()
        let (other, otherURL) = try await self.stage.serveBeside()
        let app = PhoneApp(self.stage.url)
        let created = try await app.create("demo")
        let etag = try #require(created[.etag])
        let begin = ContinuousClock.now
        async let polled = app.poll(wait: 3, etag: etag)
        let opening = try #require(created.nextURL).replacing(self.stage.url, with: otherURL)
        for _ in 0..<3 {
            // Raises the revision but not the version.
            _ = try await ScriptedBrowser(opening: opening)
            try await Task.sleep(for: .milliseconds(300))
        }
        #expect(try await polled.status == 304)
        #expect(ContinuousClock.now - begin >= .milliseconds(2_900))
        await self.stop(one, other)
    }

    /// The broker keeps one server waiting, and the server is killed. The other one takes the exchange over long before
    /// its lease of 15 seconds has run out.
    @Test(arguments: ["/token", "/userinfo"])
    func `an exchange of a killed server is resumed`(_ path: String) async throws {
        let one = try await self.stage.serve()
        let (other, otherURL) = try await self.stage.serveBeside()
        try await self.bothSeeEachOther()
        let app = PhoneApp(self.stage.url)
        self.stage.front.conduct(at: path, .neverAnswers)
        var browser = try await ScriptedBrowser(opening: try #require(try await app.create("demo").nextURL))
        _ = try await ScriptedBrowser.send(try await browser.callback(of: .query))
        #expect(await self.stage.front.reached.next() == true)
        self.stage.front.conduct(nil)
        let killed = ContinuousClock.now
        one.terminate()
        _ = one.end()
        let end = try await PhoneApp(otherURL, as: app).waitForEnd()
        let waited = ContinuousClock.now - killed
        #expect(end["status"]?.string == "completed")
        #expect(waited < .seconds(12), "it has waited for the lease")
        #expect(self.stage.sandbox.count(of: .token) == 1, "the sandbox has seen the code once")
        await self.stop(other)
    }

    /// Waits until both servers have read the names of the sessions since both have sessions.
    private func bothSeeEachOther() async throws {
        let reading = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = '\(self.database)' AND query LIKE 'SELECT DISTINCT application_name%' AND state = 'idle'
                AND query_start > (
                    SELECT max(backend_start) FROM pg_stat_activity
                    WHERE datname = '\(self.database)' AND query LIKE 'SELECT DISTINCT application_name%')
            """
        for _ in 0..<1000 {
            if try self.server.run(reading) == "2" { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw TestClient.Failure(description: "the servers do not see each other")
    }

    /// Both servers get the same callback at the same time, many times.
    @Test func `of two servers with one callback, one exchanges`() async throws {
        let one = try await self.stage.serve()
        let (other, otherURL) = try await self.stage.serveBeside()
        for round in 1...10 {
            let app = PhoneApp(self.stage.url)
            var browser = try await ScriptedBrowser(opening: try #require(try await app.create("demo").nextURL))
            let callback = try await browser.callback(of: .query)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for url in [self.stage.url, otherURL] {
                    let target = callback.url.replacing(self.stage.url, with: url)
                    group.addTask {
                        let answer = try await ScriptedBrowser.send(
                            ScriptedBrowser.Submission(method: callback.method, url: target, body: callback.body))
                        #expect(answer.status == 303)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await PhoneApp(otherURL, as: app).waitForEnd()["status"]?.string == "completed")
            #expect(self.stage.sandbox.count(of: .token) == round)
        }
        await self.stop(one, other)
    }

    /// What a server responded stays true at the other one after the first was killed.
    @Test func `a response stays true at the other server`() async throws {
        let one = try await self.stage.serve()
        let (other, otherURL) = try await self.stage.serveBeside()
        let app = PhoneApp(self.stage.url)
        var browser = try await ScriptedBrowser(opening: try #require(try await app.create("demo").nextURL))
        try await browser.submit(button: "approve")
        let before = try await app.waitForEnd()
        one.terminate()
        _ = one.end()
        let survivor = PhoneApp(otherURL, as: app)
        let after = try #require(try await survivor.poll().json)
        for name in ["id", "status", "version", "identity", "reference", "proof"] {
            #expect(after[name] == before[name])
        }
        #expect(try await survivor.acknowledge().status == 204)
        other.terminate()
        _ = other.end()
        await self.stage.stop()
    }

    /// Create, link, callback and result are repeated at both servers, and the sum of what both count is one login.
    @Test func `a login at two servers counts once at each stage`() async throws {
        let one = try await self.stage.serve()
        let (port, operationsPort) = (try FreePort.find(), try FreePort.find())
        let (otherURL, operations) = ("http://127.0.0.1:\(port)", "http://127.0.0.1:\(operationsPort)")
        let flags = ["--listen", "127.0.0.1:\(port)", "--operations-listen", "127.0.0.1:\(operationsPort)"]
        let other = try await DurableStage.ready(try self.stage.start(by: [], flags), operations)
        try await self.bothSeeEachOther()
        let app = PhoneApp(self.stage.url)
        let again = PhoneApp(otherURL, as: app)
        let link = try #require(try await app.create("demo").nextURL)
        _ = try await again.create("demo")
        #expect(
            try await eventually {
                try await self.sum(of: "switchback_pending_logins", [self.stage.operations, operations]) == 1
            }, "one of them reports it")
        _ = try await ScriptedBrowser(opening: link.replacing(self.stage.url, with: otherURL))
        var browser = try await ScriptedBrowser(opening: link)
        let callback = try await browser.callback(of: .query)
        for url in [otherURL, self.stage.url] {
            let target = callback.url.replacing(self.stage.url, with: url)
            _ = try await ScriptedBrowser.send(
                ScriptedBrowser.Submission(method: callback.method, url: target, body: callback.body))
        }
        for phone in [again, app, again] {
            #expect(try await phone.waitForEnd()["status"]?.string == "completed")
        }
        #expect(try await again.acknowledge().status == 204)
        _ = try await app.acknowledge()
        let places = [self.stage.operations, operations]
        for stage in ["created", "opened", "callback", "exchanged", "proven", "delivered", "acknowledged", "ended"] {
            let count = try await self.sum(of: "switchback_login_stages_total{stage=\"\(stage)\",", places)
            #expect(count == 1, "\(stage)")
        }
        #expect(try await eventually { try await self.sum(of: "switchback_pending_logins", places) == 0 })
        await self.stop(one, other)
    }

    /// Adds up the samples that begin like this at these operations ports.
    private func sum(of prefix: String, _ places: [String]) async throws -> Int {
        var sum = 0
        for place in places {
            let lines = try await TestClient.send("GET", "\(place)/metrics").text.split(separator: "\n")
            for line in lines where line.hasPrefix(prefix) {
                sum += line.split(separator: " ").last.flatMap { Int($0) } ?? 0
            }
        }
        return sum
    }

    private func stop(_ processes: ChildProcess...) async {
        for process in processes {
            process.send(SIGTERM)
            #expect(process.end(), "it shuts down cleanly")
        }
        await self.stage.stop()
    }
}
