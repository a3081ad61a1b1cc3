import Base

/// Reads the parts of field values (RFC 9110 §5.6), from left to right.
struct FieldScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: some StringProtocol) { self.bytes = Array(text.utf8) }

    init(_ bytes: Span<UInt8>) { self.bytes = bytes.withUnsafeBufferPointer { Array($0) } }

    var isAtEnd: Bool { self.position == self.bytes.count }

    var next: UInt8? { self.position < self.bytes.count ? self.bytes[self.position] : nil }

    mutating func take(_ byte: UInt8) -> Bool {
        guard self.next == byte else { return false }
        self.position += 1
        return true
    }

    /// Takes a separator and the spaces and tabs around it.
    mutating func takeSeparator(_ byte: UInt8) -> Bool {
        self.skipBlanks()
        guard self.take(byte) else { return false }
        self.skipBlanks()
        return true
    }

    mutating func skipBlanks() { while self.next?.isBlank == true { self.position += 1 } }

    /// Takes text up to the first byte that does not belong to it. The text may be empty.
    mutating func readText(while belongs: (UInt8) -> Bool) -> String {
        let start = self.position
        while let byte = self.next, belongs(byte) { self.position += 1 }
        return String(decoding: self.bytes[start..<self.position], as: UTF8.self)
    }

    mutating func readToken() -> String? {
        let token = self.readText { $0.isToken }
        return token.isEmpty ? nil : token
    }

    mutating func skipToken() -> Bool {
        let start = self.position
        while self.next?.isToken == true { self.position += 1 }
        return self.position > start
    }

    mutating func skipQuoted() -> Bool { self.readQuoted() != nil }

    /// Takes a token or a quoted string, which mean the same (RFC 9110 §5.6.6).
    mutating func readWord() -> String? { self.next == .quote ? self.readQuoted() : self.readToken() }

    /// Takes a quoted string and returns its content (RFC 9110 §5.6.4). Returns nil and takes nothing if there is none.
    mutating func readQuoted() -> String? {
        var scanner = self
        guard scanner.take(.quote) else { return nil }
        var content: [UInt8] = []
        while let byte = scanner.next {
            scanner.position += 1
            switch byte {
            case .quote:
                self = scanner
                return String(decoding: content, as: UTF8.self)
            case .backslash:
                guard let escaped = scanner.next, escaped.isFieldContent else { return nil }
                scanner.position += 1
                content.append(escaped)
            default:
                guard byte.isFieldContent else { return nil }
                content.append(byte)
            }
        }
        return nil
    }
}

extension FieldScanner {
    /// Reads the elements of a list field from all its lines (RFC 9110 §5.6.1). Skips empty elements. Returns nil if
    /// `element` cannot read one.
    static func list<Element>(_ values: [String], _ element: (inout FieldScanner) -> Element?) -> [Element]? {
        var elements: [Element] = []
        for value in values {
            var scanner = FieldScanner(value)
            repeat {
                scanner.skipBlanks()
                if scanner.isAtEnd || scanner.next == .comma { continue }
                guard let element = element(&scanner) else { return nil }
                elements.append(element)
                scanner.skipBlanks()
            } while scanner.take(.comma)
            guard scanner.isAtEnd else { return nil }
        }
        return elements
    }

    /// Reads `*( OWS ";" OWS [ name "=" value ] )` (RFC 9110 §5.6.6), names in lower case, or nil if one is malformed.
    mutating func readParameters() -> [Parameter]? {
        var parameters: [Parameter] = []
        while self.takeSeparator(.semicolon) {
            guard let name = self.readToken() else { continue }
            guard self.take(.equals), let value = self.readWord() else { return nil }
            parameters.append(Parameter(name.lowercased(), value))
        }
        return parameters
    }
}
