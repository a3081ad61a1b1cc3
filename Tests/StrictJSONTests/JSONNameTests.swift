import Testing

@testable import StrictJSON

/// Members are found by their whole name, and no two of them have the same name.
struct JSONNameTests {
    /// Names of equal length and beginning, long and short, empty, beyond ASCII, and with a zero byte.
    private static let names =
        [
            "", "\0", "a", "a\0", "aud", "azp", "exp\0", "nonce12", "nonce123", "nonce124", "nonce1é", "nonce1ö", "é",
            "K",
        ]
        + (120...135).map { String(repeating: "n", count: $0) }
        + ["x", "y"].map { String(repeating: "n", count: 200) + $0 }

    @Test func `every member is found by its name`() throws {
        let object = JSON.Object(Self.names.enumerated().map { ($1, .integer($0)) })
        let read = try #require(JSON(parsing: JSON.object(object).encoded()).object)
        for (index, name) in Self.names.enumerated() {
            #expect(object[name] == .integer(index))
            #expect(read[name] == .integer(index))
        }
        #expect(read.names == Self.names)
        #expect(read["nonce125"] == nil && read["ex"] == nil && read["\u{212A}"] == nil)
    }

    @Test(arguments: names) func `no name stands twice`(name: String) {
        let member = JSON.Object([(name, .null)])
        let text = JSON.object(member).encoded().dropFirst().dropLast()
        for others in [0, 1, 40] {
            let before = (0..<others).flatMap { Array("\"other\($0)\":1,".utf8) }
            #expect(throws: JSONError.duplicateMember) {
                try JSON(parsing: [0x7B] + before + text + [0x2C] + text + [0x7D])
            }
        }
    }

    /// To Unicode, U+212A KELVIN SIGN is a K.
    @Test(arguments: [#"{"K":1,"\u{212A}":2}"#, #"{"\u{212A}":1,"K":2}"#, #"{"\u212A":1,"a":0,"K":2}"#])
    func `names that look the same are refused`(text: String) {
        let text = text.replacing(#"\u{212A}"#, with: "\u{212A}")
        #expect(throws: JSONError.duplicateMember) { try JSON(parsing: Array(text.utf8)) }
    }
}
