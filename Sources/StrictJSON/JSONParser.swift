/// Reads one JSON text (RFC 8259), byte by byte. Strings and numbers are in `JSONParser+…`.
struct JSONParser {
    let bytes: [UInt8]
    /// The index of the next byte to read.
    var position = 0
    private var depthLeft: Int

    init(_ bytes: [UInt8], depth: Int) {
        self.bytes = bytes
        self.depthLeft = depth
    }

    /// Reads a value with only whitespace around it (RFC 8259 §2).
    mutating func readText() throws(JSONError) -> JSON {
        let value = try self.readValue()
        self.skipBlanks()
        guard self.position == self.bytes.count else { throw .trailingBytes }
        return value
    }

    private mutating func readValue() throws(JSONError) -> JSON {
        self.skipBlanks()
        switch try self.peek() {
        case UInt8(ascii: "{"): return try self.readObject()
        case UInt8(ascii: "["): return try self.readArray()
        case UInt8(ascii: "\""): return .string(try self.readString())
        case UInt8(ascii: "t"): return try self.readLiteral("true", .bool(true))
        case UInt8(ascii: "f"): return try self.readLiteral("false", .bool(false))
        case UInt8(ascii: "n"): return try self.readLiteral("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try self.readNumber()
        default: throw .unexpectedByte
        }
    }

    /// Reads an object (RFC 8259 §4).
    private mutating func readObject() throws(JSONError) -> JSON {
        try self.enter()
        var entries: [JSON.Object.Entry] = []
        var names = MemberNameSet()
        guard try !self.skipEmpty(endingWith: UInt8(ascii: "}")) else { return .object(JSON.Object()) }
        // Most objects have several members, which then need not move as the array grows.
        entries.reserveCapacity(16)
        repeat {
            self.skipBlanks()
            guard try self.peek() == UInt8(ascii: "\"") else { throw .unexpectedByte }
            let (name, fingerprint) = try self.readName()
            guard names.insert(name, fingerprint, amongst: entries) else { throw .duplicateMember }
            self.skipBlanks()
            guard try self.take() == UInt8(ascii: ":") else { throw .unexpectedByte }
            entries.append(JSON.Object.Entry(fingerprint: fingerprint, name: name, value: try self.readValue()))
        } while try self.skipSeparator(endingWith: UInt8(ascii: "}"))
        return .object(JSON.Object(distinct: entries))
    }

    /// Reads an array (RFC 8259 §5).
    private mutating func readArray() throws(JSONError) -> JSON {
        try self.enter()
        var elements: [JSON] = []
        guard try !self.skipEmpty(endingWith: UInt8(ascii: "]")) else { return .array([]) }
        // Most arrays have a few elements, which then need not move as the array grows.
        elements.reserveCapacity(4)
        repeat { elements.append(try self.readValue()) } while try self.skipSeparator(endingWith: UInt8(ascii: "]"))
        return .array(elements)
    }

    // MARK: - Between values

    /// Moves past the opening bracket.
    private mutating func enter() throws(JSONError) {
        guard self.depthLeft > 0 else { throw .tooDeep }
        self.depthLeft -= 1
        self.position += 1
    }

    private mutating func skipEmpty(endingWith bracket: UInt8) throws(JSONError) -> Bool {
        self.skipBlanks()
        guard try self.peek() == bracket else { return false }
        self.position += 1
        self.depthLeft += 1
        return true
    }

    /// Moves past the comma or the closing bracket. Returns true after a comma.
    private mutating func skipSeparator(endingWith bracket: UInt8) throws(JSONError) -> Bool {
        self.skipBlanks()
        let byte = try self.take()
        guard byte != UInt8(ascii: ",") else { return true }
        guard byte == bracket else { throw .unexpectedByte }
        self.depthLeft += 1
        return false
    }

    private mutating func readLiteral(_ literal: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        for index in 0..<literal.utf8CodeUnitCount {
            guard try self.take() == literal.utf8Start[index] else { throw .badLiteral }
        }
        return value
    }

    /// RFC 8259 §2 allows these four whitespace characters and no others.
    private mutating func skipBlanks() {
        while self.position < self.bytes.count {
            switch self.bytes[self.position] {
            case 0x20, 0x09, 0x0A, 0x0D: self.position += 1
            default: return
            }
        }
    }

    // MARK: - One byte

    func peek() throws(JSONError) -> UInt8 {
        guard self.position < self.bytes.count else { throw .endsEarly }
        return self.bytes[self.position]
    }

    mutating func take() throws(JSONError) -> UInt8 {
        let byte = try self.peek()
        self.position += 1
        return byte
    }
}
