import HTTPWire

/// The results of a parser for some bytes, in a form that does not depend on how they were split.
struct Transcript: Equatable, CustomStringConvertible {
    struct Message: Equatable {
        let head: RequestHead
        var body: [UInt8] = []
        var isWhole = false
    }

    private(set) var messages: [Message] = []
    private(set) var error: ParseError?

    /// Feeds the bytes in pieces of this size and records all events.
    init(_ bytes: [UInt8], piecesOf size: Int = .max, limits: RequestParser.Limits = .init()) {
        var parser = RequestParser(limits: limits)
        var rest = bytes[...]
        while !rest.isEmpty {
            parser.feed(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
            self.take(&parser)
        }
    }

    var description: String {
        self.messages.map(\.description).joined(separator: " | ") + (self.error.map { " ! \($0)" } ?? "")
    }

    private mutating func take(_ parser: inout RequestParser) {
        do throws(ParseError) {
            while try self.note(parser.next()) {}
        } catch {
            self.error = error
        }
    }

    private mutating func note(_ event: RequestParser.Event) -> Bool {
        switch event {
        case .needsBytes: return false
        case .head(let head): self.messages.append(Message(head: head))
        case .body(let bytes): self.messages[self.messages.count - 1].body += bytes
        case .end: self.messages[self.messages.count - 1].isWhole = true
        }
        return true
    }
}

extension Transcript.Message: CustomStringConvertible {
    /// `POST /path hello`, with `…` if the end is missing.
    var description: String {
        let body = self.body.isEmpty ? "" : " " + String(decoding: self.body, as: UTF8.self)
        return "\(self.head.method) \(self.head.target.raw)\(body)\(self.isWhole ? "" : " …")"
    }
}

extension [UInt8] {
    /// One byte per character, so that a test can write any byte.
    init(latin1 text: String) { self = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
}
