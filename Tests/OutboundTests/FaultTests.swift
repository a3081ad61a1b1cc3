import Base
import Outbound
import TestSupport
import Testing

/// What a server can do to us: every fault ends in its own error, in time, and none in a trap.
@Suite(.blocking) struct FaultTests {
    static let head = "HTTP/1.1 200 OK\r\n"

    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: String
        let failure: String

        init(_ name: String, _ answer: String, _ failure: String) {
            self.testDescription = name
            self.answer = answer
            self.failure = failure
        }
    }

    static let long = String(repeating: "a", count: 1001)
    static let chunked = head + "Transfer-Encoding: chunked\r\n\r\n"
    static let manyLines = String(repeating: "X: y\r\n", count: 2000)

    static let faults: [Fault] = [
        Fault("nothing", "", "broken"),
        Fault("an empty line", "\r\n", "broken"),
        Fault("half a status line", "HTTP/1.1", "broken"),
        Fault("half a head", head, "broken"),
        Fault("status with a letter", "HTTP/1.1 2x0 OK\r\n\r\n", "broken"),
        Fault("status too short", "HTTP/1.1 20\r\n\r\n", "broken"),
        Fault("unknown version", "HTTP/3.7 200 OK\r\n\r\n", "broken"),
        Fault("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "broken"),
        Fault("HTTP/0.9", "just text", "broken"),
        Fault("an HTTP/2 frame", "\u{0}\u{0}\u{0}\u{12}\u{4}\u{0}\u{0}", "broken"),
        Fault("ends before its length", head + "Content-Length: 10\r\n\r\nabc", "broken"),
        Fault("negative length", head + "Content-Length: -1\r\n\r\nabc", "broken"),
        Fault("no last chunk", chunked + "3\r\nabc\r\n", "broken"),
        Fault("a chunk without size", chunked + "xyz\r\nabc\r\n0\r\n\r\n", "broken"),
        Fault("a chunk beyond all numbers", chunked + "ffffffffffffffffff\r\nabc\r\n0\r\n\r\n", "broken"),
        Fault("a chunk longer than it says", chunked + "3\r\nabcdef\r\n0\r\n\r\n", "broken"),
        Fault("unknown coding", head + "Transfer-Encoding: unknown\r\n\r\nabc", "broken"),
        Fault("interim answer only", "HTTP/1.1 100 Continue\r\n\r\n", "broken"),
        Fault("length beyond all numbers", head + "Content-Length: 99999999999999999999\r\n\r\nabc", "tooLarge"),
        Fault("length beyond the limit", head + "Content-Length: 1001\r\n\r\n", "tooLarge"),
        Fault("body beyond the limit, announced", head + "Content-Length: 1001\r\n\r\n" + long, "tooLarge"),
        Fault("body beyond the limit", head + "\r\n" + long, "tooLarge"),
        Fault("chunk beyond the limit", chunked + "3e9\r\n" + long, "tooLarge"),
        Fault("long line", head + "X: " + String(repeating: "a", count: 5000) + "\r\n\r\n", "tooLarge"),
        Fault("very long line", head + "X: " + String(repeating: "a", count: 200_000) + "\r\n\r\n", "tooLarge"),
        Fault("many lines", head + manyLines + "\r\n", "tooLarge"),
        Fault("many interim answers", String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 2000), "tooLarge"),
        Fault("many trailers", chunked + "1\r\na\r\n0\r\n" + manyLines + "\r\n", "tooLarge"),
    ]

    @Test(arguments: faults) func `each fault ends in its own error`(_ fault: Fault) async throws {
        let outcome = try await ask(
            FaultServer(answer: fault.answer), { OutboundRequest(url: $0, limit: 1000) },
            change: { $0.headLimit = 4096 })
        #expect(outcome.failure == fault.failure)
    }

    /// None of these is valid HTTP, but libcurl reads them all without harm.
    @Test(arguments: ["no colon\r\n", "X: a\u{0}b\r\n", ": empty name\r\n", "A: b\r\n folded\r\n"])
    func `invalid responses do no harm`(_ line: String) async throws {
        let outcome = try await ask(FaultServer(answer: Self.head + line + "Content-Length: 0\r\n\r\n"))
        #expect(["200", "broken"].contains(outcome.failure))
    }

    @Test func `an endless body ends at the limit`() async throws {
        let server = try FaultServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(Self.head + "\r\n")
            while connection.write([UInt8](repeating: 0x61, count: 65_536)) {}
        }
        #expect(try await ask(server).error == .tooLarge)
    }

    @Test func `a body of exactly the limit is allowed`() async throws {
        let answer = Self.head + "\r\n" + String(repeating: "a", count: 1000)
        let outcome = try await ask(FaultServer(answer: answer)) { OutboundRequest(url: $0, limit: 1000) }
        #expect(try outcome.get().body.count == 1000)
    }

    @Test func `a reset is a broken response`() async throws {
        let server = try FaultServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(Self.head + "Content-Length: 10\r\n\r\nabc")
            connection.reset()
        }
        #expect(try await ask(server).failure == "broken")
    }

    @Test func `a port where nobody listens is unreachable`() async throws {
        let server = try FaultServer(answer: "")
        server.stop()
        let error = try await ask(server).error
        guard case .unreachable = error else { throw error ?? .broken("an answer") }
    }

    @Test func `an unknown name is unreachable`() async throws {
        try await withClient(hosts: ["nowhere.invalid"]) { client in
            let request = OutboundRequest(url: "https://nowhere.invalid/", deadline: .seconds(20))
            await #expect { try await client.send(request) } throws: {
                guard let error = $0 as? OutboundError else { return false }
                // Without a working resolver, the connect timeout ends it.
                if case .unreachable = error { return true }
                return error == .timedOut
            }
        }
    }

    // MARK: - Time

    enum Slowness: CaseIterable {
        case neverAccepts, neverAnswers, dripsTheHead, dripsTheBody, neverReads

        func makeServer() throws -> FaultServer {
            try FaultServer(accepting: self != .neverAccepts) { connection in
                guard self != .neverReads else { return connection.pause(milliseconds: 3000) }
                guard connection.readRequest() != nil else { return }
                switch self {
                case .neverAccepts, .neverReads, .neverAnswers: connection.waitForEnd()
                case .dripsTheHead:
                    connection.write(FaultTests.head + "X: ")
                    while connection.write("a") { connection.pause(milliseconds: 50) }
                case .dripsTheBody:
                    connection.write(FaultTests.head + "\r\n")
                    while connection.write("a") { connection.pause(milliseconds: 50) }
                }
            }
        }
    }

    @Test(arguments: Slowness.allCases)
    func `the deadline is for the whole request`(_ slowness: Slowness) async throws {
        let server = try slowness.makeServer()
        let start = ContinuousClock.now
        let outcome = try await ask(server) {
            OutboundRequest(
                method: .post, url: $0, body: [UInt8](repeating: 0, count: 20_000_000), deadline: .milliseconds(700))
        }
        let taken = start.duration(to: .now)
        #expect(outcome.error == .timedOut)
        #expect(taken > .milliseconds(650) && taken < .seconds(60))
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(1)])
    func `a deadline of zero leaves no time`(_ time: Duration)
        async throws
    {
        let server = try FaultServer { $0.waitForEnd() }
        #expect(try await ask(server) { OutboundRequest(url: $0, deadline: time) }.error == .timedOut)
    }

    // MARK: - The errors

    /// The texts go into the log, so they must contain nothing of the request.
    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nsecret", "secret"])
    func `the error names no secret`(_ answer: String) async throws {
        let outcome = try await ask(FaultServer(answer: answer)) {
            OutboundRequest(
                method: .post, url: $0 + "secret?code=secret", fields: [Parameter("Authorization", "Basic secret")],
                body: Array("secret".utf8))
        }
        #expect(outcome.failure == (answer.isEmpty ? "closed" : "broken"))
        #expect(!"\(String(describing: outcome.error))".contains("secret"))
    }
}
