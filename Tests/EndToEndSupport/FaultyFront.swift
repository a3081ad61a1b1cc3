import Foundation
import StrictJSON
import Synchronization
import TestSupport

/// A proxy in front of the sandbox provider, on a port of its own: it forwards everything, and can misbehave at one
/// path.
package final class FaultyFront: Sendable {
    package enum Conduct: Sendable {
        /// Sends these bytes, and closes the connection.
        case says(String)
        /// Sends these bytes, which need not be text, and closes the connection.
        case sends([UInt8])
        /// Sends the sandbox's response encoded as gzip, although nobody asked for it.
        case encodes
        /// Sends the sandbox's response with another body or type.
        case changes(type: String = "application/json", @Sendable (String) -> String)
        case neverAnswers
        /// Forwards the request, and keeps back the response.
        case losesTheAnswer
        /// Sends a byte now and then, for as long as the client reads.
        case drips
        /// Sends as much as the client reads.
        case neverEnds
        /// Resets the connection in the middle of the body.
        case resets

        /// Returns the conduct that sends the sandbox's JSON document with other members.
        package static func changesDocument(_ change: @escaping @Sendable (inout JSON.Object) -> Void) -> Conduct {
            .changes { body in
                var document = (try? JSON(parsing: Array(body.utf8)))?.object ?? [:]
                change(&document)
                return String(decoding: JSON.object(document).encoded(), as: UTF8.self)
            }
        }
    }

    private struct State {
        var server: FaultServer?
        var upstream: UInt16 = 0
        var path = ""
        var conduct: Conduct?
        var requests: [String: Int] = [:]
        var heard: [ResponseHandle] = []
    }

    /// A request at a path, and the provider's response to it.
    package struct ResponseHandle: Sendable {
        package let path: String
        package let request: String
        package let answer: String
    }

    package let port: UInt16
    private let state = Mutex(State())
    /// Gets an element for each response that the client abandons.
    package let givenUp = Mailbox<Bool>()
    /// Gets an element for each request that meets the misconduct.
    package let reached = Mailbox<Bool>()

    package var url: String { "http://localhost:\(self.port)" }

    package init() throws { self.port = try FreePort.find() }

    package func start() throws {
        let server = try FaultServer(port: self.port) { [self] in self.serve($0) }
        self.state.withLock { $0.server = server }
    }

    package func stop() {
        let server = self.state.withLock { state in
            defer { state.server = nil }
            return state.server
        }
        server?.stop()
    }

    package func handOn(to port: UInt16) { self.state.withLock { $0.upstream = port } }

    /// Sets the conduct at a path; nil forwards everything.
    package func conduct(at path: String = "", _ conduct: Conduct?) {
        self.state.withLock {
            $0.path = path
            $0.conduct = conduct
        }
    }

    /// Returns how many requests this path has received.
    package func requests(at path: String) -> Int { self.state.withLock { $0.requests[path] ?? 0 } }

    /// All requests to the provider and its responses, before any change.
    package var heard: [ResponseHandle] { self.state.withLock { $0.heard } }

    private func answer(to request: String, at path: String, from port: UInt16) -> [UInt8] {
        let answer = Self.answer(to: request, from: port)
        let exchange = ResponseHandle(path: path, request: request, answer: String(decoding: answer, as: UTF8.self))
        self.state.withLock { $0.heard.append(exchange) }
        return answer
    }

    private func serve(_ connection: FaultConnection) {
        guard let request = connection.readRequest() else { return }
        let target = request.split(separator: " ").dropFirst().first ?? ""
        let path = String(target.prefix { $0 != "?" })
        let (upstream, conduct) = self.state.withLock { state in
            state.requests[path, default: 0] += 1
            return (state.upstream, state.path == path ? state.conduct : nil)
        }
        if conduct != nil { self.reached.put(true) }
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        switch conduct {
        case nil: connection.write(self.answer(to: request, at: path, from: upstream))
        case .says(let text): connection.write(text)
        case .sends(let bytes): connection.write(bytes)
        case .encodes:
            let answer = String(decoding: self.answer(to: request, at: path, from: upstream), as: UTF8.self)
            let parts = answer.components(separatedBy: "\r\n\r\n")
            let body = StoredGzip.encode(Array(parts.dropFirst().joined(separator: "\r\n\r\n").utf8))
            let lines = parts[0].components(separatedBy: "\r\n").filter { !$0.hasPrefix("Content-Length:") }
            let fields = lines + ["Content-Encoding: gzip", "Content-Length: \(body.count)", "", ""]
            connection.write(Array(fields.joined(separator: "\r\n").utf8) + body)
        case .changes(let type, let change):
            let answer = String(decoding: self.answer(to: request, at: path, from: upstream), as: UTF8.self)
            let body = change(answer.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n"))
            connection.write(
                "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        case .neverAnswers:
            connection.waitForEnd()
            self.givenUp.put(true)
        case .losesTheAnswer:
            _ = self.answer(to: request, at: path, from: upstream)
            connection.waitForEnd()
            self.givenUp.put(true)
        case .drips:
            connection.write(head + "\r\n{")
            while connection.write(" ") { connection.pause(milliseconds: 100) }
            self.givenUp.put(true)
        case .neverEnds:
            connection.write(head + "\r\n{")
            let blanks = [UInt8](repeating: 0x20, count: 65_536)
            while connection.write(blanks) {}
            self.givenUp.put(true)
        case .resets:
            connection.write(head + "Content-Length: 1000\r\n\r\n{")
            connection.reset()
        }
    }

    /// Returns the whole response of the sandbox; nothing when it does not run.
    package static func answer(to request: String, from port: UInt16) -> [UInt8] {
        guard let descriptor = try? TestClient.connect(port: port) else { return [] }
        defer { close(descriptor) }
        let lines = request.split(separator: "\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let closing = lines.joined(separator: "\r\nConnection: close\r\n")
        guard (try? TestClient.write(Array(closing.utf8), to: descriptor)) != nil else { return [] }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return received }
            received += buffer.prefix(count)
        }
    }
}
