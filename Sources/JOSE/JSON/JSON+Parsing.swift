/// How JSON is read: strictly, and within limits.

extension JSON {
    package struct Limits: Sendable {
        /// How long the text may be.
        package var byteCount: Int
        /// How many arrays and objects may be open at once.
        package var depth: Int

        package init(byteCount: Int = 1 << 20, depth: Int = 32) {
            self.byteCount = byteCount
            self.depth = depth
        }
    }

    package enum Failure: String, Error, CaseIterable, Sendable {
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

    package init(parsing bytes: [UInt8], limits: Limits = Limits()) throws(Failure) {
        guard bytes.count <= limits.byteCount else { throw .tooLong }
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw .byteOrderMark }
        var parser = JSONParser(bytes, depth: limits.depth)
        self = try parser.readText()
    }
}
