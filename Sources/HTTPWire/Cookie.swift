/// A cookie that a browser brings back (RFC 6265 §4.2).
package struct Cookie: Equatable, Sendable {
    package let name: String
    package let value: String

    /// Of all Cookie fields. What is malformed is passed over: other servers of the site set cookies too.
    package static func list(_ values: [String]) -> [Cookie] {
        values.flatMap { value in
            value.split(separator: ";").compactMap { Cookie($0.trimmingBlanks) }
        }
    }

    /// The values of all cookies of this name. Of two, nobody knows which one is ours.
    package static func values(named name: String, in values: [String]) -> [String] {
        Self.list(values).filter { $0.name == name }.map(\.value)
    }

    private init?(_ text: Substring) {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        let name = text[..<equals]
        let value = text[text.index(after: equals)...]
        guard !name.isEmpty, name.utf8.allSatisfy({ $0.isToken }) else { return nil }
        let isQuoted = value.utf8.count >= 2 && value.utf8.first == .quote && value.utf8.last == .quote
        let bare = isQuoted ? value.dropFirst().dropLast() : value
        guard bare.utf8.allSatisfy({ $0.isCookieValue }) else { return nil }
        self.name = String(name)
        self.value = String(bare)
    }
}

extension UInt8 {
    /// RFC 6265 §4.1.1: `cookie-octet`.
    var isCookieValue: Bool {
        switch self {
        case .quote, .comma, .semicolon, .backslash: false
        default: self > .space && self < .delete
        }
    }
}
