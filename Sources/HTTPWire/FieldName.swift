/// The name of a field (RFC 9110 §5.1). One that exists is a token; case does not matter.
package struct FieldName: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: Hashable, Sendable {
        case known(KnownField)
        /// In lower case.
        case other(String)
    }

    private let kind: Kind

    init(_ field: KnownField) { self.kind = .known(field) }

    /// Nil when it is no token.
    package init?(_ text: String) {
        self.init(text.utf8.span)
    }

    init?(_ bytes: Span<UInt8>) {
        guard !bytes.isEmpty else { return nil }
        for index in bytes.indices where !bytes[index].isToken { return nil }
        self.init(token: bytes)
    }

    /// Of bytes that were found to be a token.
    init(token bytes: Span<UInt8>) {
        if let field = FieldNameTable.shared.field(bytes) {
            self.kind = .known(field)
        } else {
            self.kind = .other(String(ascii: bytes).lowercased())
        }
    }

    /// In lower case.
    package var rawValue: String {
        switch self.kind {
        case .known(let field): field.rawValue.lowercased()
        case .other(let name): name
        }
    }

    /// As it is usually spelt.
    var spelling: String {
        switch self.kind {
        case .known(let field): field.rawValue
        case .other(let name): name
        }
    }

    /// Whether whoever writes a message makes this field, and nobody else.
    var isWriters: Bool {
        switch self.kind {
        case .known(.contentLength), .known(.transferEncoding), .known(.connection), .known(.date): true
        case .known, .other: false
        }
    }

    package var description: String { self.rawValue }
}

extension FieldName: ExpressibleByStringLiteral {
    /// A literal stands in our own code, so one that is no token is a slip that the first run shows.
    package init(stringLiteral text: String) {
        guard let name = FieldName(text) else { preconditionFailure("\(text) is no field name") }
        self = name
    }
}
