import Base
import Cryptography
import Foundation
import GRDB

/// Sends requests to a server, and writes down each request, the whole response, what the server asked a broker for it,
/// and which rows of the store it changed.
final class Recording {
    /// The longest body that is written in full, and how long one is that stands there only once.
    private static let (fullLimit, onceLimit) = (8_000, 700)

    private(set) var text = ""
    private(set) var count = 0
    /// What went otherwise than the recording expects, so that it means nothing.
    var problems: [String] = []
    private var names: Set<String> = []
    private var knownBodies: Set<String> = []
    private var rows: [String: String] = [:]
    private let broker: PlayedBroker
    private var server: RecordedServer?

    init(_ broker: PlayedBroker) { self.broker = broker }

    /// What follows is about this server.
    func begin(_ server: RecordedServer) {
        self.server = server
        self.rows = [:]
    }

    func move(by seconds: Int) throws {
        try self.current.time.move(by: seconds)
        self.text += "=== \(seconds) seconds later\n\n"
    }

    /// Sends one request, and waits for one more step of a login if it `settles`. The name of a request is unique.
    @discardableResult
    func send(
        _ name: String, _ method: String, _ target: String, _ fields: [(String, String)] = [], body: String = "",
        settles: Bool = false
    ) async throws -> PlayedMessage {
        var lines = ["\(method) \(target) HTTP/1.1"]
        if !fields.contains(where: { $0.0 == "host" }) { lines.append("host: login.example.com") }
        lines += fields.map { "\($0.0): \($0.1)" }
        if !body.isEmpty || ["POST", "PUT"].contains(method) { lines.append("content-length: \(body.utf8.count)") }
        lines.append("connection: close")
        return try await self.send(name, raw: lines.joined(separator: "\r\n") + "\r\n\r\n" + body, settles: settles)
    }

    /// Sends these bytes.
    @discardableResult
    func send(_ name: String, raw: String, settles: Bool = false) async throws -> PlayedMessage {
        if !self.names.insert(name).inserted { self.problems.append("a second \(name)") }
        let server = try self.current
        let count = server.settledCount
        PlayedRandom.begin(name)
        let port = server.port
        let answer: PlayedMessage = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { @Sendable in
                continuation.resume(
                    with: Result {
                        let descriptor = try Loopback.connect(port)
                        defer { close(descriptor) }
                        Loopback.write(Array(raw.utf8), to: descriptor)
                        return PlayedMessage(Loopback.read(descriptor))
                    })
            }
        }
        if settles {
            let end = ContinuousClock.now + .seconds(self.problems.isEmpty ? 30 : 2)
            while server.settledCount == count, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(2))
            }
            if server.settledCount == count {
                self.problems.append("\(name) settles nothing: \(answer.head) \(server.lines.end)")
            }
        }
        self.count += 1
        try self.note(name, raw, answer)
        return answer
    }

    var now: Timestamp { get throws { try self.current.time.now() } }

    /// The parameters of the last pushed request.
    var pushed: [String: String] { self.broker.pushed }

    private var current: RecordedServer {
        get throws {
            guard let server else { throw RecordingError("no server") }
            return server
        }
    }

    private func note(_ name: String, _ raw: String, _ answer: PlayedMessage) throws {
        let request = PlayedMessage(Array(raw.utf8))
        var lines =
            ["=== \(name)"]
            + request.head.filter { $0 != "connection: close" }.map {
                $0.count > 1000 ? "> \($0.prefix(60))… (\($0.count) characters)" : "> \($0)"
            }
        lines += self.lines(of: request.body, "> ")
        for asked in self.broker.takeRequests() {
            let kept = ["content-type", "accept", "authorization"].compactMap { name in
                asked[name].map { "* \(name): \($0)" }
            }
            lines += ["* \(asked.head[0])"] + kept + self.lines(of: asked.body, "* ")
        }
        lines += answer.head.map { Self.line(of: $0) }
        lines += self.lines(of: Self.withoutTime(answer.body), "< ")
        lines += try self.changedRows()
        self.text += lines.joined(separator: "\n") + "\n\n"
    }

    /// The server counts its limits, and tells the date, in real time.
    private static func line(of head: String) -> String {
        for name in ["date: ", "retry-after: "] where head.lowercased().hasPrefix(name) {
            return "< \(head.prefix(name.count))…"
        }
        // A page that waits for a limit loads itself again when that has passed.
        if let refresh = head.wholeMatch(of: /(Refresh: )[0-9]{2,}/) { return "< \(refresh.1)…" }
        return "< \(head)"
    }

    /// A page that tries again by itself says when.
    private static func withoutTime(_ body: [UInt8]) -> [UInt8] {
        let text = String(decoding: body, as: UTF8.self)
        guard let time = text.firstMatch(of: /in about [0-9]+ seconds/) else { return body }
        return Array(text.replacing(time.0, with: "in about … seconds").utf8)
    }

    /// A long body stands there once, and after that only its digest.
    private func lines(of body: [UInt8], _ prefix: String) -> [String] {
        guard !body.isEmpty else { return [] }
        let digest = Base64URL.encode(Digest.sha256.hash(body))
        let short = "\(prefix)(\(body.count) bytes, SHA-256 \(digest))"
        let text = String(decoding: body, as: UTF8.self)
        guard body.count <= Self.fullLimit, Array(text.utf8) == body else { return [short] }
        if body.count > Self.onceLimit {
            guard self.knownBodies.insert(digest).inserted else { return [short] }
        }
        // The body of a connection with two requests has a second head.
        let lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.hasPrefix("Date: ") ? "Date: …" : $0
        }
        return (body.count > Self.onceLimit ? [short] : [prefix.trimmingCharacters(in: .whitespaces)])
            + lines.map { "\(prefix)\($0)" }
    }

    // MARK: - The store

    /// The rows that are new, changed (`+`) or gone (`-`) since the last request.
    private func changedRows() throws -> [String] {
        let found = try Self.rows(of: try self.current.database)
        defer { self.rows = found }
        let gone = self.rows.keys.filter { found[$0] == nil }.sorted().map { "- \($0)" }
        let new = found.filter { self.rows[$0.key] != $0.value }.sorted { $0.key < $1.key }.map {
            "+ \($0.key)\($0.value)"
        }
        return gone + new
    }

    private static func rows(of path: String) throws -> [String: String] {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        let database = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? database.close() }
        return try database.read { database in
            var rows: [String: String] = [:]
            for table in ["login", "sessions", "tombstones"] {
                for row in try Row.fetchAll(database, sql: "SELECT * FROM \(table)") {
                    let columns = row.map { "\n+   \($0): \(Self.text($1))" }
                    rows["\(table) \(Self.text(row[row.columnNames.first ?? ""]))"] = columns.dropFirst().joined()
                }
            }
            return rows
        }
    }

    private static func text(_ value: DatabaseValue) -> String {
        guard case .blob(let data) = value.storage else { return "\(value)" }
        return Base64URL.encode(Array(data))
    }
}
