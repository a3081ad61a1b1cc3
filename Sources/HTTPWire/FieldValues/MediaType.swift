/// What a body is: `application/json; charset=utf-8` (RFC 9110 §8.3.1).
package struct MediaType: Equatable, Sendable {
    /// Type and subtype, in lower case.
    package let essence: String
    /// In lower case; nil when none is named.
    package let charset: String?

    /// Nil when it is none, or names a parameter twice.
    package init?(_ text: String) {
        // What nearly all send, known without taking it apart.
        if text == "application/json" {
            self.essence = text
            self.charset = nil
            return
        }
        var scanner = FieldScanner(text)
        guard let type = scanner.token(), scanner.take(.slash), let subtype = scanner.token(),
            let parameters = scanner.parameters(), scanner.isAtEnd,
            Set(parameters.map(\.name)).count == parameters.count
        else { return nil }
        self.essence = "\(type)/\(subtype)".lowercased()
        self.charset = parameters.first { $0.name == "charset" }?.value.lowercased()
    }

    /// JSON in UTF-8, its only encoding (RFC 8259 §8.1).
    package var isJSON: Bool { self.essence == "application/json" && self.isUTF8 }

    package var isForm: Bool { self.essence == "application/x-www-form-urlencoded" && self.isUTF8 }

    private var isUTF8: Bool { self.charset == nil || self.charset == "utf-8" }
}
