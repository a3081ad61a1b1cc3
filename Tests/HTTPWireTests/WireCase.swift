// One row of a table: bytes, and the expected result of a parser.

import HTTPWire
import Testing

/// A request that the parser refuses.
struct Refused: Sendable, CustomTestStringConvertible {
    /// The section of the RFC, and the error.
    let name: String
    let bytes: [UInt8]
    let error: ParseError
    var limits = RequestParser.Limits()

    init(
        _ name: String, _ text: String, _ error: ParseError, _ change: (inout RequestParser.Limits) -> Void = { _ in }
    ) {
        self.name = name
        self.bytes = Array(latin1: text)
        self.error = error
        change(&self.limits)
    }

    var testDescription: String { "\(self.name): \(self.error)" }

    /// A valid request. The tests put it before and after the bytes to see whether they spoil it.
    private static let right = Array(latin1: "GET /right HTTP/1.1\r\nHost: a\r\n\r\n")

    func check() {
        for size in [Int.max, 1, 2, 3, 7] {
            let transcript = Transcript(self.bytes, piecesOf: size, limits: self.limits)
            #expect(transcript.error == self.error, "pieces of \(size)")
            #expect(transcript == Transcript(self.bytes, limits: self.limits), "pieces of \(size)")
            #expect(!transcript.messages.contains { $0.isWhole }, "nothing of it passes for a request")
            let second = Transcript(Self.right + self.bytes, piecesOf: size, limits: self.limits)
            #expect(second.error == self.error, "behind another, pieces of \(size)")
            #expect(second.messages.first?.isWhole == true, "the one before it is read")
        }
        self.checkThatItIsFinal()
    }

    private func checkThatItIsFinal() {
        var parser = RequestParser(limits: self.limits)
        parser.feed(self.bytes)
        #expect(throws: self.error) { while try parser.next() != .needsBytes {} }
        parser.feed(Self.right)
        #expect(throws: self.error) { try parser.next() }
        #expect(parser.unread == 0, "nothing is kept after it")
    }
}

/// Bytes that the parser accepts, and the requests in them.
struct Taken: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    /// The requests as `Transcript` describes them.
    let requests: String
    var limits = RequestParser.Limits()

    init(
        _ name: String, _ text: String, _ requests: String,
        _ change: (inout RequestParser.Limits) -> Void = { _ in }
    ) {
        self.name = name
        self.bytes = Array(latin1: text)
        self.requests = requests
        change(&self.limits)
    }

    var testDescription: String { self.name }

    func check() {
        let whole = Transcript(self.bytes, limits: self.limits)
        #expect(whole.description == self.requests)
        for size in [1, 2, 3, 5, 11] {
            #expect(Transcript(self.bytes, piecesOf: size, limits: self.limits) == whole, "pieces of \(size)")
        }
        let trailing = self.bytes + Array(latin1: "GET /next HTTP/1.1\r\nHost: a\r\n\r\nGET /third HT")
        for size in [Int.max, 1, 4] {
            let transcript = Transcript(trailing, piecesOf: size, limits: self.limits)
            #expect(transcript.description == self.requests + " | GET /next", "with more behind it, pieces of \(size)")
        }
    }
}
