/// A client's preferences for its response (RFC 7240): `Prefer: wait=25, return=minimal`.
package struct Preference: Equatable, Sendable {
    /// The name in lower case.
    package let name: String
    /// Nil and empty mean the same (RFC 7240 §2), so an empty value is nil here.
    package let value: String?

    /// Returns the preferences in their order. A malformed one makes the list empty: no preference is binding.
    package static func list(_ values: [String]) -> [Preference] {
        FieldScanner.list(values) { Preference(&$0) } ?? []
    }

    /// Returns how many seconds the client would wait (RFC 7240 §4.3). If there are several, the first counts (RFC
    /// 7240 §2).
    package static func wait(in values: [String]) -> Int? {
        guard let value = Self.list(values).first(where: { $0.name == "wait" })?.value else { return nil }
        return Int(digits: value.utf8)
    }

    /// Whether the client would rather be refused than have part of its request ignored (RFC 7240 §4.4).
    package static func isStrict(in values: [String]) -> Bool {
        Self.list(values).first { $0.name == "handling" }?.value == "strict"
    }

    private init?(_ scanner: inout FieldScanner) {
        guard let name = scanner.readToken() else { return nil }
        var value: String?
        if scanner.takeSeparator(.equals) {
            guard let word = scanner.readWord() else { return nil }
            value = word
        }
        guard Self.skipParameters(&scanner) else { return nil }
        self.name = name.lowercased()
        self.value = value?.isEmpty == true ? nil : value
    }

    /// No preference known here has parameters.
    private static func skipParameters(_ scanner: inout FieldScanner) -> Bool {
        while scanner.takeSeparator(.semicolon) {
            guard scanner.skipToken(), scanner.takeSeparator(.equals) else { continue }
            guard scanner.readWord() != nil else { return false }
        }
        return true
    }
}
