/// Parses the bytes of one connection into requests.
///
/// It does no I/O and has no clock: `feed` it what was read, then call `next` until it returns `.needsBytes`. The same
/// bytes give the same events however they are split, except for where a body is split. An error is final.
///
///     line ─▶ fields ─▶ body ─▶ end ─▶ line ─▶ …
///       └────────┴───────┴──▶ failed
package struct RequestParser: Sendable {
    package typealias Limits = MessageLimits

    package enum Event: Equatable, Sendable {
        case needsBytes
        case head(RequestHead)
        /// A part of the body, never empty.
        case body([UInt8])
        case end
    }

    private enum State: Sendable {
        /// `mayBeBlank` until one empty line was skipped.
        case line(mayBeBlank: Bool)
        indirect case fields(RequestLine, FieldSection)
        case body(BodyReader)
        case end
        case failed(ParseError)
    }

    private let limits: Limits
    private var state = State.line(mayBeBlank: true)
    private var buffer = ReceiveBuffer()
    /// What is known of the head of a refused request: its fields up to the one that was wrong.
    package private(set) var refused: RequestHead?
    /// True between two requests, while no byte of the next has arrived.
    package private(set) var isIdle = true

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// The number of bytes that were fed but not used yet.
    package var unread: Int { self.buffer.count }

    package mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        // What follows an error is no message.
        if case .failed = self.state { return }
        self.buffer.append(bytes)
        self.noteIdle()
    }

    private mutating func noteIdle() {
        if case .line = self.state { self.isIdle = self.buffer.count == 0 } else { self.isIdle = false }
    }

    /// Returns the head that these bytes begin with, even if it is one to refuse; nil if they do not contain all of it.
    package static func head(in bytes: UnsafeRawBufferPointer) -> RequestHead? {
        var parser = RequestParser()
        parser.feed(bytes)
        guard case .head(let head) = try? parser.next() else { return parser.refused }
        return head
    }

    package mutating func feed(_ bytes: [UInt8]) { bytes.withUnsafeBytes { self.feed($0) } }

    package mutating func feed(_ text: String) { self.feed(Array(text.utf8)) }

    package mutating func next() throws(ParseError) -> Event {
        do throws(ParseError) {
            let event = try self.step()
            self.buffer.releaseIfEmpty()
            self.noteIdle()
            return event
        } catch {
            self.state = .failed(error)
            self.isIdle = false
            self.buffer = ReceiveBuffer()
            throw error
        }
    }

    private mutating func step() throws(ParseError) -> Event {
        switch self.state {
        case .line(let mayBeBlank): return try self.readLine(mayBeBlank: mayBeBlank)
        case .fields(let line, let section):
            // Moved out, so that its fields have one owner and are not copied when one is added.
            self.state = .end
            return try self.readFields(line, section)
        case .body(let reader): return try self.readBody(reader)
        case .end:
            self.state = .line(mayBeBlank: true)
            return .end
        case .failed(let error): throw error
        }
    }

    private mutating func readLine(mayBeBlank: Bool) throws(ParseError) -> Event {
        guard let first = self.buffer.first else { return .needsBytes }
        // Refuse at once, because a client of another protocol may send no line feed for a long time.
        guard first.isToken || (first == .carriageReturn && mayBeBlank) else { throw .badRequestLine }
        let line: RequestLine
        let size: Int
        do throws(ParseError) {
            guard let range = try self.buffer.takeLine(atMost: self.limits.head, orThrow: .targetTooLong) else {
                return .needsBytes
            }
            guard !range.isEmpty else {
                // Some clients send an empty line after a body (RFC 9112 §2.2).
                self.state = .line(mayBeBlank: false)
                return try self.readLine(mayBeBlank: false)
            }
            line = try RequestLine(self.buffer.bytes.span.extracting(range), targetLimit: self.limits.target)
            size = range.count + 2
        } catch {
            if error == .targetTooLong { self.refused = self.headOfTooLongTarget() }
            throw error
        }
        return try self.readFields(line, FieldSection(size: size))
    }

    /// Returns the method, the first letters of the path, and the fields that have arrived. It is enough to know who
    /// asked, and in which language to respond.
    private mutating func headOfTooLongTarget() -> RequestHead? {
        let line = self.buffer.lastLine.prefix(64)
        let parts = line.split(separator: .space, maxSplits: 1)
        guard parts.count == 2, let method = Method(Array(parts[0]).span) else { return nil }
        let path = parts[1].prefix(16).prefix { $0 != .space && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "%") }
        guard let target = Target(String(decoding: path, as: UTF8.self), of: method) else { return nil }
        var section = FieldSection()
        _ = try? section.read(&self.buffer, limits: self.limits, keeping: true)
        return RequestHead(method, target, fields: section.fields)
    }

    private mutating func readFields(_ line: RequestLine, _ section: FieldSection) throws(ParseError) -> Event {
        var section = section
        let head: RequestHead
        do throws(ParseError) {
            guard try section.read(&self.buffer, limits: self.limits, keeping: true) else {
                self.state = .fields(line, section)
                return .needsBytes
            }
            head = try RequestHead(line, section.fields, limits: self.limits)
        } catch {
            self.refused = RequestHead(line.method, line.target, version: line.version, fields: section.fields)
            throw error
        }
        self.state = BodyReader(head.framing, limits: self.limits).map { .body($0) } ?? .end
        return .head(head)
    }

    private mutating func readBody(_ reader: BodyReader) throws(ParseError) -> Event {
        var reader = reader
        switch try reader.read(&self.buffer) {
        case .needsBytes:
            self.state = .body(reader)
            return .needsBytes
        case .bytes(let bytes):
            self.state = .body(reader)
            return .body(bytes)
        case .end:
            self.state = .line(mayBeBlank: true)
            return .end
        }
    }
}
