import StrictJSON

/// JSON texts (RFC 8259): a value that was read and written reads the same again.
enum JSONTarget {
    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        guard let value = try? JSON(parsing: input) else { return .refused }
        let written = value.encoded()
        guard let again = try? JSON(parsing: written) else { throw Violation("what was written is not read") }
        try require(again == value, "what was written reads otherwise")
        try require(again.encoded() == written, "what was written is written otherwise")
        try self.checkNumber(input, value)
        try self.checkNesting(input, value)
        try self.checkEnd(input)
        return .accepted
    }

    /// A number that stands alone is written as it was read, or has the same value.
    private static func checkNumber(_ input: [UInt8], _ value: JSON) throws(Violation) {
        let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        let text = String(decoding: input.filter { !blanks.contains($0) }, as: UTF8.self)
        switch value {
        case .integer, .decimal: try require(value.encoded() == Array(text.utf8), "a number was changed")
        case .number(let number): try require(Double(text) == number, "a number has another value")
        case .null, .bool, .string, .array, .object: break
        }
    }

    /// A text means the same inside another.
    private static func checkNesting(_ input: [UInt8], _ value: JSON) throws(Violation) {
        let limits = JSON.Limits(depth: 34)
        let list = Array("[0,".utf8) + input + Array("]".utf8)
        try require((try? JSON(parsing: list, limits: limits)) == .array([0, value]), "it reads otherwise in a list")
        let object = Array(#"{"":"#.utf8) + input + Array("}".utf8)
        try require((try? JSON(parsing: object, limits: limits)) == ["": value], "it reads otherwise in an object")
    }

    /// No text is complete without its end, and nothing may follow it.
    private static func checkEnd(_ input: [UInt8]) throws(Violation) {
        try require((try? JSON(parsing: input + Array(",".utf8))) == nil, "something stands behind it")
        guard let last = input.last, Array(#"]}""#.utf8).contains(last) else { return }
        try require((try? JSON(parsing: input.dropLast())) == nil, "it is whole without its last byte")
    }
}
