import HTTPServer
import HTTPWire
import StrictJSON
import TestSupport
import Testing

/// A reader of an event stream, on a bench: it gets a line for each part.
final class EventReader: Sendable {
    /// `200`, `retry`, `1 pending`, `:`, `end`; `404 unknown_login` if there is no stream.
    let lines = Mailbox<String>()
    let head = Mailbox<Response>()
    /// The actions to call when it leaves.
    let leave = Mailbox<@Sendable () -> Void>()

    init(
        _ app: BenchApp, lastEventID: String? = nil, method: HTTPWire.Method = .get, path: String? = nil
    ) throws {
        var fields = app.bearer
        fields[.accept] = "text/event-stream"
        fields[.lastEventID] = lastEventID
        let target = try #require(Target(path ?? app.path))
        let request = Request(head: RequestHead(method, target, fields: fields))
        let client = try #require(IPAddress("192.0.2.1"))
        let bench = app.bench
        let exchange = BenchResponder(
            loop: bench.loop,
            answer: { response in
                self.head.put(response)
                self.lines.put(response.brief)
            },
            stream: { response in
                self.head.put(response)
                self.lines.put(response.brief)
                return ResponseStream(
                    send: { self.lines.put(Self.line($0)) }, end: { self.lines.put("end") })
            },
            leave: { self.leave.put($0) })
        bench.loop.execute { bench.handler.handleUnconnected(request, from: client, exchange) }
    }

    /// Returns the next `count` lines.
    func take(_ count: Int) async -> [String] { await self.lines.take(count) }

    private static func line(_ part: [UInt8]) -> String {
        let text = String(decoding: part, as: UTF8.self)
        guard text.hasSuffix("\n\n") else { return "no end: \(text)" }
        let lines = text.dropLast(2).split(separator: "\n", omittingEmptySubsequences: false)
        if lines.count == 1 { return String(lines[0].prefix { $0 != " " }) }
        guard lines.count == 2, lines[0].hasPrefix("id: "), lines[1].hasPrefix("data: "),
            let json = try? JSON(parsing: Array(lines[1].dropFirst(6).utf8)),
            json["version"]?.integer.map(String.init) == String(lines[0].dropFirst(4))
        else { return "no event: \(text)" }
        return "\(lines[0].dropFirst(4)) \(json["status"]?.string ?? "")"
    }
}
