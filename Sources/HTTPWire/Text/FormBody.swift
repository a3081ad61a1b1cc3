import Base

/// `application/x-www-form-urlencoded`, in bodies and query strings (WHATWG URL §5).
package enum FormBody {
    /// Returns the fields in their order; names may repeat. A field without `=` has an empty value.
    package static func parse(_ bytes: [UInt8], limit: Int = 64) throws(FormBodyError) -> [Parameter] {
        var fields: [Parameter] = []
        for field in bytes.split(separator: UInt8(ascii: "&")) {
            guard fields.count < limit else { throw .tooManyFields }
            let end = field.firstIndex(of: .equals) ?? field.endIndex
            let name = try Self.decode(field[..<end])
            fields.append(Parameter(name, try Self.decode(field[end...].dropFirst())))
        }
        return fields
    }

    package static func parse(_ text: some StringProtocol, limit: Int = 64) throws(FormBodyError) -> [Parameter] {
        try Self.parse(Array(text.utf8), limit: limit)
    }

    /// Reads what a browser or a broker delivered: each field alone, because one that nobody needs must not spoil the
    /// others. Providers write error texts in ISO 8859-1, and browsers pass them on as they are.
    ///
    /// A field that cannot be decoded is dropped, and so is one after the first `limit` fields. But a field in `names`
    /// is never dropped, so that a second one is found wherever it stands. If its value cannot be decoded, it is
    /// `Parameter.unreadable`.
    package static func read(_ bytes: [UInt8], keeping names: Set<String>, limit: Int = 64) -> [Parameter] {
        Self.fields(of: bytes, keeping: names, limit: limit)
    }

    /// Reads a query in the same way.
    package static func read(_ query: String, keeping names: Set<String>, limit: Int = 64) -> [Parameter] {
        Self.fields(of: query.utf8, keeping: names, limit: limit)
    }

    private static func fields(
        of bytes: some Collection<UInt8>, keeping names: Set<String>, limit: Int
    ) -> [Parameter] {
        var fields: [Parameter] = []
        var room = limit
        for field in bytes.split(separator: UInt8(ascii: "&")) {
            let end = field.firstIndex(of: .equals) ?? field.endIndex
            guard let name = try? Self.decode(field[..<end]) else { continue }
            let isKept = names.contains(name)
            guard isKept || room > 0 else { continue }
            let value = try? Self.decode(field[end...].dropFirst())
            guard let value = value ?? (isKept ? Parameter.unreadable : nil) else { continue }
            fields.append(Parameter(name, value))
            if !isKept { room -= 1 }
        }
        return fields
    }

    /// Escapes as browsers do.
    package static func encode(_ fields: [Parameter]) -> String { FormEncoding.encode(fields, as: .browser) }

    private static func decode(_ bytes: some Collection<UInt8>) throws(FormBodyError) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(.space)
            case .percent:
                guard let high = rest.next()?.hexValue, let low = rest.next()?.hexValue else {
                    throw .badEscape
                }
                decoded.append(try Self.text(high << 4 | low))
            default:
                guard byte > .space, byte != .delete else { throw .controlCharacter }
                decoded.append(byte)
            }
        }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .notUTF8 }
        return text
    }

    /// Some readers take a NUL for the end of a text, and no field needs the other control characters.
    private static func text(_ byte: UInt8) throws(FormBodyError) -> UInt8 {
        guard byte.isFieldContent || byte == .lineFeed || byte == .carriageReturn else { throw .controlCharacter }
        return byte
    }
}

/// Why bytes are not a form.
package enum FormBodyError: Error, Equatable, Sendable, CaseIterable {
    /// A percent sign without two hexadecimal digits.
    case badEscape
    /// A control character, escaped or not. Tabs and line ends are allowed if they are escaped.
    case controlCharacter
    case notUTF8
    case tooManyFields
}
