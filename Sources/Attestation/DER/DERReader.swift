/// Reads DER strictly (X.690 §10 and §11): one encoding for each value. Nothing traps, whatever the bytes are.
struct DERReader: Sendable {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.rest = bytes }

    var isAtEnd: Bool { self.rest.isEmpty }

    /// Throws if anything follows.
    func finish() throws(DERError) {
        guard self.isAtEnd else { throw .trailingBytes }
    }

    /// Reads the next value, whatever it is.
    mutating func readAny() throws(DERError) -> (tag: DERTag, content: ArraySlice<UInt8>) {
        let tag = try self.readTag()
        let length = try self.readLength()
        guard length <= self.rest.count else { throw .endsEarly }
        let content = self.rest.prefix(length)
        self.rest = self.rest.dropFirst(length)
        return (tag, content)
    }

    mutating func read(_ tag: DERTag) throws(DERError) -> ArraySlice<UInt8> {
        let value = try self.readAny()
        guard value.tag == tag else { throw .unexpectedTag }
        return value.content
    }

    /// Enters a value that contains others, and leaves it behind.
    mutating func enter(_ tag: DERTag) throws(DERError) -> DERReader { DERReader(try self.read(tag)) }

    mutating func readOctets() throws(DERError) -> [UInt8] { Array(try self.read(.octetString)) }

    mutating func readBoolean() throws(DERError) -> Bool {
        let content = try self.read(.boolean)
        switch (content.count, content.first) {
        case (1, 0): return false
        case (1, 0xFF): return true
        default: throw .badBoolean
        }
    }

    /// Reads an INTEGER that is not negative and fits in an `Int`.
    mutating func readInteger() throws(DERError) -> Int { try Self.number(try self.read(.integer)) }

    mutating func readEnumerated() throws(DERError) -> Int { try Self.number(try self.read(.enumerated)) }

    private static func number(_ content: ArraySlice<UInt8>) throws(DERError) -> Int {
        guard let first = content.first, first < 0x80, content.count <= 8 else { throw .badNumber }
        // A leading zero is needed only in front of a byte that would look negative (X.690 §8.3.2).
        guard content.count == 1 || first != 0 || content.dropFirst().first ?? 0 >= 0x80 else { throw .badNumber }
        return content.reduce(0) { $0 << 8 | Int($1) }
    }

    // MARK: - Heads

    private mutating func readTag() throws(DERError) -> DERTag {
        let first = try self.take()
        let low = UInt32(first & 0x1F)
        guard low == 0x1F else { return DERTag(leading: first & 0xE0, number: low) }
        // Seven bits in each byte; the first bit says that more bytes follow (X.690 §8.1.2.4).
        var number: UInt32 = 0
        var byte = try self.take()
        guard byte != 0x80 else { throw .badTag }
        while byte & 0x80 != 0 {
            number = number << 7 | UInt32(byte & 0x7F)
            guard number < 1 << 14 else { throw .badTag }
            byte = try self.take()
        }
        number = number << 7 | UInt32(byte)
        guard number >= 0x1F else { throw .badTag }
        return DERTag(leading: first & 0xE0, number: number)
    }

    private mutating func readLength() throws(DERError) -> Int {
        let first = try self.take()
        guard first >= 0x80 else { return Int(first) }
        let byteCount = Int(first & 0x7F)
        // No value here needs a length of more than three bytes. 0x80 is the indefinite length of BER.
        guard (1...3).contains(byteCount) else { throw .badLength }
        var length = 0
        for _ in 0..<byteCount { length = length << 8 | Int(try self.take()) }
        guard length >= 0x80, length >> (8 * (byteCount - 1)) > 0 else { throw .badLength }
        return length
    }

    private mutating func take() throws(DERError) -> UInt8 {
        guard let byte = self.rest.popFirst() else { throw .endsEarly }
        return byte
    }
}

/// The identifier of a DER value: class, form and number.
struct DERTag: Hashable, Sendable {
    /// The class, and whether the value contains others: the upper three bits of the first byte.
    let leading: UInt8
    let number: UInt32

    init(leading: UInt8, number: UInt32) {
        self.leading = leading
        self.number = number
    }

    static let boolean = DERTag(leading: 0, number: 1)
    static let integer = DERTag(leading: 0, number: 2)
    static let octetString = DERTag(leading: 0, number: 4)
    static let null = DERTag(leading: 0, number: 5)
    static let enumerated = DERTag(leading: 0, number: 10)
    static let sequence = DERTag(leading: 0x20, number: 16)
    static let set = DERTag(leading: 0x20, number: 17)

    /// An explicit tag of the context, such as `[1]`.
    static func explicit(_ number: UInt32) -> DERTag { DERTag(leading: 0xA0, number: number) }

    var isExplicit: Bool { self.leading == 0xA0 }
}

/// Why bytes are not the DER that we expect.
package enum DERError: String, Error, CaseIterable, Sendable {
    case endsEarly
    case trailingBytes
    case unexpectedTag
    /// A tag number that is too large, or could have been written shorter.
    case badTag
    /// A length that is indefinite, too large, or could have been written shorter.
    case badLength
    case badBoolean
    /// A number that is negative, too large, or could have been written shorter.
    case badNumber
}
