@testable import HTTPWire

/// Why bytes are not the responses that a client waits for.
package enum ResponseParseError: Error, Equatable, Sendable {
    /// Not `version SP code SP reason` (RFC 9112 §4).
    case badStatusLine
    /// The connection ended before the message.
    case cutOff
    /// What requests and responses have in common is malformed.
    case malformed(ParseError)

    /// Runs `body`, which reads a part that requests have too.
    static func reading<Value>(_ body: () throws(ParseError) -> Value) throws(Self) -> Value {
        do throws(ParseError) { return try body() } catch { throw .malformed(error) }
    }
}

/// Parses the bytes of one connection into responses. This is the client's half.
///
/// It works like `RequestParser`, but the caller must set the method of the request whose response comes next, and say
/// when the connection has ended. An interim response (RFC 9110 §15.2) is a head and an end like any other.
package struct ResponseParser: Sendable {
    package enum Event: Equatable, Sendable {
        case needsBytes
        case head(ResponseHead)
        /// A part of the body, never empty.
        case body([UInt8])
        case end
    }

    private enum State: Sendable {
        case line
        case fields(StatusLine, FieldSection)
        case body(BodyReader)
        case end
        case failed(ResponseParseError)
    }

    /// The method of the request whose response is read next.
    package var method: Method
    private let limits: MessageLimits
    private var state = State.line
    private var buffer = ReceiveBuffer()
    private var isFinished = false

    package init(to method: Method = .get, limits: MessageLimits = MessageLimits()) {
        self.method = method
        self.limits = limits
    }

    package mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        if case .failed = self.state { return }
        self.buffer.append(bytes)
    }

    package mutating func feed(_ bytes: [UInt8]) { bytes.withUnsafeBytes { self.feed($0) } }

    package mutating func feed(_ text: String) { self.feed(Array(text.utf8)) }

    /// Tells the parser that the connection has ended and no more bytes will arrive.
    package mutating func finish() { self.isFinished = true }

    package mutating func next() throws(ResponseParseError) -> Event {
        do throws(ResponseParseError) {
            let event = try self.step()
            self.buffer.releaseIfEmpty()
            guard event == .needsBytes, self.isFinished else { return event }
            return try self.end()
        } catch {
            self.state = .failed(error)
            self.buffer = ReceiveBuffer()
            throw error
        }
    }

    private mutating func step() throws(ResponseParseError) -> Event {
        switch self.state {
        case .line:
            let range = try ResponseParseError.reading { () throws(ParseError) in
                try self.buffer.takeLine(atMost: self.limits.head, orThrow: .headTooLarge)
            }
            guard let range else { return .needsBytes }
            let line = try StatusLine(self.buffer.bytes.span.extracting(range))
            return try self.readFields(line, FieldSection(size: range.count + 2))
        case .fields(let line, let section):
            self.state = .end
            return try self.readFields(line, section)
        case .body(let reader): return try self.readBody(reader)
        case .end:
            self.state = .line
            return .end
        case .failed(let error): throw error
        }
    }

    /// Handles the connection's end while bytes are missing.
    private mutating func end() throws(ResponseParseError) -> Event {
        switch self.state {
        case .line where self.buffer.count == 0: return .needsBytes
        case .body(.untilClose):
            self.state = .line
            return .end
        case .line, .fields, .body, .end: throw .cutOff
        case .failed(let error): throw error
        }
    }

    private mutating func readFields(_ line: StatusLine, _ section: FieldSection) throws(ResponseParseError) -> Event {
        var section = section
        let head = try ResponseParseError.reading { () throws(ParseError) -> ResponseHead? in
            guard try section.read(&self.buffer, limits: self.limits, keeping: true) else { return nil }
            return try ResponseHead(line, section.fields, to: self.method, limits: self.limits)
        }
        guard let head else {
            self.state = .fields(line, section)
            return .needsBytes
        }
        self.state = BodyReader(head.framing, limits: self.limits).map { .body($0) } ?? .end
        return .head(head)
    }

    private mutating func readBody(_ reader: BodyReader) throws(ResponseParseError) -> Event {
        var reader = reader
        switch try ResponseParseError.reading({ () throws(ParseError) in try reader.read(&self.buffer) }) {
        case .needsBytes:
            self.state = .body(reader)
            return .needsBytes
        case .bytes(let bytes):
            self.state = .body(reader)
            return .body(bytes)
        case .end:
            self.state = .line
            return .end
        }
    }
}
