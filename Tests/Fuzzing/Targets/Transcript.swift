import HTTPWire

/// The results of the request parser for some bytes, in a form that does not depend on how they were split.
struct Transcript: Equatable {
    struct Message: Equatable {
        let head: RequestHead
        var body: [UInt8] = []
        var isWhole = false
    }

    private(set) var messages: [Message] = []
    private var error: ParseError?

    init(_ bytes: [UInt8], piecesOf size: Int) {
        var parser = RequestParser()
        var rest = bytes[...]
        while !rest.isEmpty {
            parser.feed(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
            self.take(&parser)
        }
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
