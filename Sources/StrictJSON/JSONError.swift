/// Why bytes are not the JSON that we accept (RFC 8259).
package enum JSONError: String, Error, CaseIterable, Sendable {
    case tooLong
    case tooDeep
    /// The text ends inside a value, or holds none.
    case endsEarly
    /// A byte that cannot stand where it does.
    case unexpectedByte
    /// Something after the value.
    case trailingBytes
    /// RFC 8259 §8.1 lets us refuse it, and nobody who writes one is an identity provider of ours.
    case byteOrderMark
    case badLiteral
    case badNumber
    /// A number beyond what a `Double` holds.
    case numberTooLarge
    case controlCharacter
    case badEscape
    /// Half of a surrogate pair, which is no character (RFC 8259 §8.2).
    case loneSurrogate
    case badUTF8
    /// RFC 8259 §4 leaves it open which one counts, and two readers may disagree: neither does.
    case duplicateMember
}
