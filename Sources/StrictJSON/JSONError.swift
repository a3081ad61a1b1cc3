/// Why bytes are not the JSON that we accept (RFC 8259).
package enum JSONError: String, Error, CaseIterable, Sendable {
    case tooLong
    case tooDeep
    /// The text ends inside a value or contains none.
    case endsEarly
    /// A byte that is not allowed at its position.
    case unexpectedByte
    /// There is more text after the value.
    case trailingBytes
    /// RFC 8259 §8.1 lets us refuse it, and no identity provider of ours writes one.
    case byteOrderMark
    case badLiteral
    case badNumber
    /// A number beyond the range of a `Double`.
    case numberTooLarge
    case controlCharacter
    case badEscape
    /// Half of a surrogate pair, which is no character (RFC 8259 §8.2).
    case loneSurrogate
    case badUTF8
    /// RFC 8259 §4 does not say which one counts, and two readers may disagree. We accept neither.
    case duplicateMember
}
