import EndToEndSupport
import EventLoop
import Foundation
import HTTPServer
import HTTPWire
import Synchronization
import TestSupport
import Traces

/// A collector of spans on a socket of its own, which can be as unwilling as real ones.
final class TraceCollectorStage: Sendable {
    enum Mood: Sendable {
        case takes
        case answers(Int, Fields)
        case hangs
    }

    /// A span as the collector got it.
    struct Span: Sendable {
        let trace: [UInt8]
        let id: [UInt8]
        let parent: [UInt8]
        let name: String
        let attributes: [String: String]
        /// The names of the attributes whose values are integers.
        let numbers: Set<String>
        let events: [String]
        let links: Int
        let state: String
    }

    private let loops: [EventLoop]
    private let server: HTTPServer
    private let handler: Handler
    let url: String

    init(_ mood: Mood = .takes) throws {
        self.loops = try EventLoop.makeLoops(count: 1)
        self.handler = Handler(mood)
        guard let any = ListenAddress("127.0.0.1:0") else { throw TestClient.Failure(description: "listen") }
        self.server = HTTPServer(listen: any, loops: self.loops, handler: self.handler)
        guard case .tcp(_, let port) = try self.server.start() else { throw TestClient.Failure(description: "port") }
        self.url = "http://127.0.0.1:\(port)/v1/traces"
    }

    func become(_ mood: Mood) { self.handler.state.withLock { $0.mood = mood } }

    /// How many requests came, whatever was answered.
    var requestCount: Int { self.handler.state.withLock { $0.requests.count } }

    var lastRequest: Request? { self.handler.state.withLock { $0.requests.last } }

    /// The bodies that the collector has taken.
    var bodies: [[UInt8]] { self.handler.state.withLock { $0.bodies } }

    var spans: [Span] { self.bodies.flatMap { Self.spans(in: $0) } }

    /// Waits for spans that satisfy `isEnough`: longer than the longest pause of an export, which is a minute.
    func spans(until isEnough: ([Span]) -> Bool) async throws -> [Span] {
        let patience = ContinuousClock.now + .seconds(150)
        while true {
            let spans = self.spans
            if isEnough(spans) { return spans }
            guard ContinuousClock.now < patience else {
                throw TestClient.Failure(description: "only \(spans.map(\.name))")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    func close() async {
        _ = await self.server.drain(within: .milliseconds(100))
        for loop in self.loops { loop.close() }
    }

    private final class Handler: RequestHandler {
        struct State {
            var mood: Mood
            var requests: [Request] = []
            var bodies: [[UInt8]] = []
        }

        let state: Mutex<State>

        init(_ mood: Mood) { self.state = Mutex(State(mood: mood)) }

        func handle(_ request: Request, _ responder: ResponseHandle) {
            let mood = self.state.withLock { state in
                state.requests.append(request)
                if case .takes = state.mood { state.bodies.append(request.body) }
                return state.mood
            }
            switch mood {
            case .takes: responder.respond(Response(.ok, fields: [.contentType: "application/x-protobuf"], body: []))
            case .answers(let status, let fields):
                responder.respond(Response(Status(rawValue: status), fields: fields, body: []))
            case .hangs: break
            }
        }
    }

    // MARK: - Reading

    private static func spans(in body: [UInt8]) -> [Span] {
        Self.messages(1, in: body).flatMap { Self.messages(2, in: $0) }.flatMap { Self.messages(2, in: $0) }.map {
            span in
            Span(
                trace: Self.messages(1, in: span).first ?? [], id: Self.messages(2, in: span).first ?? [],
                parent: Self.messages(4, in: span).first ?? [], name: Self.text(5, in: span),
                attributes: Self.attributes(9, in: span), numbers: Self.numbers(9, in: span),
                events: Self.messages(11, in: span).map { Self.text(2, in: $0) },
                links: Self.messages(13, in: span).count, state: Self.text(3, in: span))
        }
    }

    private static func messages(_ number: Int, in message: [UInt8]) -> [[UInt8]] {
        (ProtobufReader.fields(message) ?? []).compactMap { field in
            guard field.number == number, case .bytes(let bytes) = field.value else { return nil }
            return bytes
        }
    }

    private static func text(_ number: Int, in message: [UInt8]) -> String {
        String(decoding: Self.messages(number, in: message).first ?? [], as: UTF8.self)
    }

    private static func attributes(_ number: Int, in message: [UInt8]) -> [String: String] {
        var attributes: [String: String] = [:]
        for attribute in Self.messages(number, in: message) {
            let value = Self.messages(2, in: attribute).first.flatMap { ProtobufReader.fields($0)?.first?.value }
            let text: String
            switch value {
            case .bytes(let bytes): text = String(decoding: bytes, as: UTF8.self)
            case .varint(let number): text = "\(number)"
            default: text = ""
            }
            attributes[Self.text(1, in: attribute)] = text
        }
        return attributes
    }

    /// `int_value` is field 3 of AnyValue.
    private static func numbers(_ number: Int, in message: [UInt8]) -> Set<String> {
        let attributes = Self.messages(number, in: message).filter { attribute in
            Self.messages(2, in: attribute).first.flatMap { ProtobufReader.fields($0)?.first?.number } == 3
        }
        return Set(attributes.map { Self.text(1, in: $0) })
    }
}
