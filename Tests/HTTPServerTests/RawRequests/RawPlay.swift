import EventLoop
import HTTPServer
import HTTPWire
import TestSupport
import Testing

/// Plays rows through the parser, byte by byte, and over sockets to one server, whole and byte by byte. After each row
/// comes one more request. It shows whether the connection continues, and where the row ended.
enum RawPlay {
    /// The limits are small, so that little is too much. The times are long, since a busy machine is slow with single
    /// bytes.
    static var limits: ServerLimits {
        var limits = ServerLimits()
        limits.request.head = 2000
        limits.request.target = 500
        limits.request.fields = 20
        limits.request.body = 1000
        limits.headTime = .seconds(600)
        limits.bodyTime = .seconds(600)
        return limits
    }

    private static let probe = "GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    /// The number of clients at the same time.
    private static let players = 16

    static func expected(_ row: RawRequest) -> [String] {
        row.answer.lines + (row.answer.goesOn ? ["200 GET /next"] : [])
    }

    /// Plays over sockets, many at a time. A row of thousands of bytes is played byte by byte only in the whole test
    /// tier.
    static func play(_ rows: [RawRequest]) async throws {
        let loops = try EventLoop.makeLoops(count: 2)
        let server = HTTPServer(
            listen: try #require(ListenAddress("127.0.0.1:0")), loops: loops, limits: Self.limits, handler: RawHandler()
        )
        let port = try server.start().port
        await withTaskGroup(of: Void.self) { group in
            for (index, row) in rows.enumerated() {
                if index >= Self.players { await group.next() }
                group.addTask { await Self.play(row, port) }
            }
        }
        await server.close()
        for loop in loops { loop.close() }
    }

    private static func play(_ row: RawRequest, _ port: UInt16) async {
        let isShort = row.bytes.count < 1000
        for pieces in isShort || TestTier.isWhole ? [Int.max, 1] : [Int.max] {
            guard let client = try? RawClient(port: port) else {
                Issue.record("\(row.testDescription): no connection")
                return
            }
            await client.send(row.bytes + Array(Self.probe.utf8), piecesOf: pieces)
            client.finishWriting()
            let replies = RawReplies(await client.rest())
            let cut = pieces == 1 ? ", byte by byte" : ""
            // The network decides whether the body comes with the head. If the client may wait for it, `100` may come
            // first.
            let mayWait = String(decoding: row.bytes, as: UTF8.self).lowercased().contains("expect: 100-continue")
            let lines = replies.lines.filter { $0 != "100" || !mayWait }
            #expect(lines == Self.expected(row), "\(row.testDescription)\(cut)")
            #expect(replies.lastCloses, "\(row.testDescription)\(cut): the last answer says that it is the last")
        }
    }

    /// Returns what the parser makes of the row, and what the connection does with that.
    static func parsed(_ row: RawRequest) -> [String] {
        var parser = RequestParser(limits: Self.limits.request)
        var lines: [String] = []
        var request: Request?
        for byte in row.bytes + Array(Self.probe.utf8) {
            parser.feed([byte])
            do throws(ParseError) {
                while true {
                    let event = try parser.next()
                    if event == .needsBytes { break }
                    guard let line = Self.line(event, &request) else { continue }
                    lines.append(line)
                    if request?.head.keepsAlive == false || ["417", "501"].contains(line) { return lines }
                }
            } catch {
                return lines + ["\(error.status.rawValue)"]
            }
        }
        return lines
    }

    private static func line(_ event: RequestParser.Event, _ request: inout Request?) -> String? {
        switch event {
        case .needsBytes: return nil
        case .head(let head):
            request = Request(head: head)
            return head.expectation == .unknown ? "417" : nil
        case .body(let bytes):
            request?.body += bytes
            return nil
        case .end:
            switch request?.target.form {
            case .authority: return "501"
            case .asterisk: return "204"
            case .origin, .absolute, nil: return request.map { "200 \(RawHandler.text(of: $0))" }
            }
        }
    }
}

/// Responds with a field that says what it got.
struct RawHandler: RequestHandler {
    func handle(_ request: Request, _ responder: ResponseHandle) {
        responder.respond(Response(.ok, fields: ["seen": Self.text(of: request)]))
    }

    static func text(of request: Request) -> String {
        let body = request.body.map { (32..<127).contains($0) ? String(UnicodeScalar($0)) : "\\\($0)" }.joined()
        return "\(request.method) \(request.target.raw)" + (body.isEmpty ? "" : " \(body)")
    }
}

/// Everything that came on a connection, response by response.
struct RawReplies {
    private(set) var lines: [String] = []
    private(set) var lastCloses = false

    init(_ text: String) {
        var rest = text[...]
        while let end = rest.firstRange(of: "\r\n\r\n") {
            let fields = rest[..<end.lowerBound].split(separator: "\r\n")
            let length = Self.value("content-length", fields).flatMap { Int($0) } ?? 0
            let seen = Self.value("seen", fields).map { " \($0)" } ?? ""
            self.lines.append((fields.first?.split(separator: " ").dropFirst().first.map(String.init) ?? "?") + seen)
            self.lastCloses = Self.value("connection", fields) == "close"
            rest = rest[end.upperBound...].dropFirst(length)
        }
        if !rest.isEmpty { self.lines.append("more: \(rest)") }
    }

    private static func value(_ name: String, _ fields: [Substring]) -> String? {
        let field = fields.first { $0.lowercased().hasPrefix("\(name): ") }
        return field.map { String($0.dropFirst(name.count + 2)) }
    }
}
