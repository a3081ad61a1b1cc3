import Testing

/// One row: what a client sends, byte for byte, and the expected result.
struct RawRequest: Sendable, CustomTestStringConvertible {
    /// The section of the RFC with the rule.
    let section: String
    let name: String
    let bytes: [UInt8]
    let answer: RawAnswer

    /// `text` has one character per byte.
    init(_ section: String, _ name: String, _ text: String, _ answer: RawAnswer) {
        self.section = section
        self.name = name
        self.bytes = text.unicodeScalars.map { UInt8($0.value) }
        self.answer = answer
    }

    var testDescription: String { "RFC \(self.section): \(self.name)" }

    /// Takes the request line.
    static func line(_ section: String, _ name: String, _ line: String, _ answer: RawAnswer) -> RawRequest {
        RawRequest(section, name, "\(line)\r\nHost: a\r\n\r\n", answer)
    }

    /// Takes the fields of a GET, including Host.
    static func fields(_ section: String, _ name: String, _ fields: String, _ answer: RawAnswer) -> RawRequest {
        RawRequest(section, name, "GET / HTTP/1.1\r\n\(fields)\r\n\r\n", answer)
    }

    /// Takes the fields of a GET after its Host.
    static func get(_ section: String, _ name: String, _ fields: String, _ answer: RawAnswer) -> RawRequest {
        Self.fields(section, name, "Host: a\r\n\(fields)", answer)
    }

    /// Takes the fields and the body of a POST.
    static func post(
        _ section: String, _ name: String, _ fields: String, _ body: String, _ answer: RawAnswer
    ) -> RawRequest {
        RawRequest(section, name, "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)", answer)
    }

    /// Takes the body of a chunked POST.
    static func chunks(_ section: String, _ name: String, _ body: String, _ answer: RawAnswer) -> RawRequest {
        Self.post(section, name, "Transfer-Encoding: chunked", body, answer)
    }
}

/// What a connection returns for a row, and whether it continues.
struct RawAnswer: Sendable {
    /// One status each, with what the handler got: method, target, body.
    let lines: [String]
    let goesOn: Bool

    /// The handler gets these requests, and the connection can be used again.
    static func taken(_ requests: String...) -> RawAnswer {
        RawAnswer(lines: requests.map { "200 \($0)" }, goesOn: true)
    }

    /// The handler gets these requests, and the connection ends.
    static func last(_ requests: String...) -> RawAnswer {
        RawAnswer(lines: requests.map { "200 \($0)" }, goesOn: false)
    }

    /// The handler gets these requests, if any. The next is refused, and the connection ends.
    static func refused(_ status: Int, after requests: String...) -> RawAnswer {
        RawAnswer(lines: requests.map { "200 \($0)" } + ["\(status)"], goesOn: false)
    }

    /// The server responds by itself, and the connection can be used again.
    static func answered(_ status: Int) -> RawAnswer { RawAnswer(lines: ["\(status)"], goesOn: true) }
}
