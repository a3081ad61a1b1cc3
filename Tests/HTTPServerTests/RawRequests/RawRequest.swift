/// One row: what somebody sends, byte for byte, and what must come of it.
import Testing

struct RawRequest: Sendable, CustomTestStringConvertible {
    /// Of the RFC that says so.
    let section: String
    let name: String
    let bytes: [UInt8]
    let answer: RawAnswer

    /// One character a byte.
    init(_ section: String, _ name: String, _ text: String, _ answer: RawAnswer) {
        self.section = section
        self.name = name
        self.bytes = text.unicodeScalars.map { UInt8($0.value) }
        self.answer = answer
    }

    var testDescription: String { "RFC \(self.section): \(self.name)" }

    /// Its request line.
    static func line(_ section: String, _ name: String, _ line: String, _ answer: RawAnswer) -> RawRequest {
        RawRequest(section, name, "\(line)\r\nHost: a\r\n\r\n", answer)
    }

    /// The fields of a GET, Host among them.
    static func fields(_ section: String, _ name: String, _ fields: String, _ answer: RawAnswer) -> RawRequest {
        RawRequest(section, name, "GET / HTTP/1.1\r\n\(fields)\r\n\r\n", answer)
    }

    /// The fields of a GET behind its Host.
    static func get(_ section: String, _ name: String, _ fields: String, _ answer: RawAnswer) -> RawRequest {
        Self.fields(section, name, "Host: a\r\n\(fields)", answer)
    }

    /// The fields and the body of a POST.
    static func post(
        _ section: String, _ name: String, _ fields: String, _ body: String, _ answer: RawAnswer
    ) -> RawRequest {
        RawRequest(section, name, "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)", answer)
    }

    /// The body of a chunked POST.
    static func chunks(_ section: String, _ name: String, _ body: String, _ answer: RawAnswer) -> RawRequest {
        Self.post(section, name, "Transfer-Encoding: chunked", body, answer)
    }
}

/// What a connection answers to a row, and whether it goes on.
struct RawAnswer: Sendable {
    /// A status each, and what the handler was given: method, target, body.
    let lines: [String]
    let goesOn: Bool

    /// The handler gets these requests, and the connection is good for more.
    static func taken(_ requests: String...) -> RawAnswer {
        RawAnswer(lines: requests.map { "200 \($0)" }, goesOn: true)
    }

    /// The handler gets these requests, and the connection ends.
    static func last(_ requests: String...) -> RawAnswer {
        RawAnswer(lines: requests.map { "200 \($0)" }, goesOn: false)
    }

    /// The handler gets these requests, if any; the next is refused and the connection ends.
    static func refused(_ status: Int, after requests: String...) -> RawAnswer {
        RawAnswer(lines: requests.map { "200 \($0)" } + ["\(status)"], goesOn: false)
    }

    /// The server answers by itself, and the connection is good for more.
    static func answered(_ status: Int) -> RawAnswer { RawAnswer(lines: ["\(status)"], goesOn: true) }
}
