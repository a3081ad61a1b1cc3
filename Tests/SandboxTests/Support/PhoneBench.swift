// A phone whose server is the test's own.

import Base
import EventLoop
import HTTPServer
import HTTPWire
import Sandbox
import Synchronization
import Testing

/// A number that rises.
private final class Counter: Sendable {
    private let count = Mutex(0)

    func add() -> Int {
        self.count.withLock { count in
            count += 1
            return count
        }
    }
}

/// Waits of the phone, which end when the test says that their time has come, or when they are cancelled.
private final class Timers: Sendable {
    private struct State {
        var passed = Duration.zero
        var number = 0
        var waits: [Int: (end: Duration, continuation: CheckedContinuation<Void, Never>)] = [:]
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    func sleep(_ duration: Duration) async {
        let number = self.state.withLock { state in
            state.number += 1
            return state.number
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = self.state.withLock { state in
                    if state.cancelled.remove(number) != nil { return true }
                    state.waits[number] = (state.passed + duration, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let wait = self.state.withLock { state in
                let wait = state.waits.removeValue(forKey: number)
                if wait == nil { state.cancelled.insert(number) }
                return wait
            }
            wait?.continuation.resume()
        }
    }

    func advance(by duration: Duration) {
        let waits = self.state.withLock { state in
            state.passed += duration
            let waits = state.waits.filter { $0.value.end <= state.passed }
            for number in waits.keys { state.waits[number] = nil }
            return waits
        }
        for wait in waits.values { wait.continuation.resume() }
    }
}

/// A phone whose server creates every login.
final class PhoneBench: Sendable {
    /// What the phone did, in its order.
    final class Events: Sendable {
        private let all = Mutex<[String]>([])
        private let polls = Mutex(0)

        func add(_ event: String) { self.all.withLock { $0.append(event) } }

        /// The library polls by itself, so polls have no place in the order.
        func addPoll() { self.polls.withLock { $0 += 1 } }

        var pollCount: Int { self.polls.withLock { $0 } }

        func contains(_ event: String) -> Bool { self.all.withLock { $0.contains(event) } }

        func take() -> [String] {
            self.all.withLock { all in
                defer { all = [] }
                return all
            }
        }
    }

    let client: RawClient
    let log: Events
    let clock = TestClock()
    private let timers = Timers()
    private let server: HTTPServer
    private let loop: EventLoop

    /// With `holdsPolls`, a poll waits until the phone cuts it off.
    init(holdsPolls: Bool = false, refusesCodes: Bool = false) throws {
        self.loop = try EventLoop(name: "phone-tests")
        let events = Events()
        self.log = events
        let (clock, timers, created) = (self.clock, self.timers, Counter())
        let phone = SandboxPhone(
            origin: "http://localhost:1", apps: [SandboxPhone.App(id: "demo", name: "Demo")],
            faults: PhoneFaults { fault, isOn, target in
                events.add("\(isOn ? "set" : "reset") \(fault.name) \(target.provider) \(target.login ?? "-")")
                return target.provider != "another"
            },
            server: BenchServer(
                issuer: "http://server", log: LoginLog(now: { clock.now }), metricsURL: "", metrics: { [] }),
            send: { call in
                let path = call.path.prefix { $0 != "?" }
                if call.method == .get, path.hasPrefix("/v1/logins/") {
                    events.addPoll()
                    if holdsPolls {
                        do { try await Task.sleep(for: .seconds(3600)) } catch {
                            events.add("cut off")
                            throw error
                        }
                    }
                } else {
                    events.add("\(call.method.rawValue) \(path)")
                }
                if refusesCodes, path.hasSuffix("/return") {
                    return Self.refusal
                }
                guard path.hasPrefix("/v1/providers") else {
                    // Each login has an id of its own, and all have the same links.
                    let count = path == "/v1/logins" ? created.add() : 0
                    let id = count > 0 ? (count == 1 ? "the-id" : "id-\(count)") : String(path.split(separator: "/")[2])
                    return PhoneRequest.Answer(status: count > 0 ? 201 : 200, body: Self.login(id))
                }
                return PhoneRequest.Answer(
                    status: 200, body: Array(#"{"providers": [{"id": "mitid", "name": "MitID"}]}"#.utf8))
            }, now: { clock.now }, sleep: { await timers.sleep($0) })
        self.server = HTTPServer(
            listen: try #require(ListenAddress("127.0.0.1:0")), loops: [self.loop], handler: phone)
        self.client = RawClient(port: try self.server.start().port)
    }

    private static func login(_ id: String) -> [UInt8] {
        Array(
            #"""
            {"id": "\#(id)", "status": "pending", "final": false, "return_prefixes": ["http://localhost:1/r/"],
             "next": {"action": "open_browser", "url": "http://server/go/\#(id)"}}
            """#.utf8)
    }

    private static let refusal = PhoneRequest.Answer(
        status: 422, fields: [Parameter("Content-Type", "application/problem+json")],
        body: Array(#"{"code": "wrong_code", "tries_left": 2}"#.utf8))

    /// Moves the clock, and ends the waits whose time has come.
    func advance(by duration: Duration) {
        self.clock.advance(by: duration)
        self.timers.advance(by: duration)
    }

    func begin(_ form: [Parameter] = [], cookie: String? = nil) async throws -> RawClient.Answer {
        try await self.client.post(
            "/login", form: [Parameter("provider", "mitid"), Parameter("app", "demo")] + form,
            fields: cookie.map { ["Cookie: \($0)"] } ?? [])
    }

    /// Begins a login, and returns its page and the visitor's cookie.
    func begun() async throws -> (page: String, cookie: String) {
        let begun = try await self.begin()
        let page = try #require(begun["location"])
        let cookie = try #require(begun["set-cookie"]).prefix { $0 != ";" }
        _ = self.log.take()
        return (page, String(cookie))
    }

    func press(_ button: String, _ page: String, cookie: String, _ more: [Parameter] = []) async throws {
        let form = [Parameter("press", button)] + more
        #expect(try await self.client.post(page, form: form, fields: ["Cookie: \(cookie)"])["location"] == page)
    }

    func look(_ page: String, cookie: String, _ query: String = "") async throws -> RawClient.Answer {
        try await self.client.get(page + query, fields: ["Cookie: \(cookie)"])
    }

    func end() async {
        await self.server.close()
        self.loop.close()
    }
}
