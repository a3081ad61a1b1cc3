import HTTPWire
import StrictJSON
import Testing

@testable import LoginAPI

/// The code of the page, as the user types it into the app.
@Suite(.timeLimit(.minutes(1))) struct TypedCodeTests {
    /// What cannot be a code takes none of the three tries, however often it is sent.
    @Test func `what is not six digits uses up no try`() async throws {
        var person = PagePerson(try HandlerBench(release: .code))
        try await person.take(.finish)
        let malformed = [
            "", " ", "12345", "1234567", "12345a", "12345\u{661}", "\u{FF11}23456", "123\u{A0}456", "123.456", "+12345",
            "0x1234", "1 2 3 4 5", String(repeating: "1", count: 33), "123456" + String(repeating: " ", count: 27),
        ]
        for text in malformed {
            #expect(try await person.type(text).brief == "400 invalid_member code", "\(text)")
        }
        let code = try #require(try await person.code)
        let typed = " \(code.prefix(3))-\(code.suffix(3)) "
        #expect(try await person.type(typed).json["status"] == "completed", "with blanks and a hyphen it is the code")
    }

    /// A wrong code of the right form still takes one.
    @Test func `three wrong codes use up all tries`() async throws {
        var person = PagePerson(try HandlerBench(release: .code))
        try await person.take(.finish)
        let code = try #require(try await person.code)
        try await person.take(.wrongCodes)
        #expect(try await person.type("12345").brief == "400 invalid_member code")
        #expect(try await person.type(code).json["code"] == "wrong_code")
    }
}
