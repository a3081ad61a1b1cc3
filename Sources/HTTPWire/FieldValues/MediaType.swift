/// The type of a body: `application/json; charset=utf-8` (RFC 9110 §8.3.1).
package struct MediaType: Equatable, Sendable {
    /// Type and subtype, in lower case.
    package let essence: String
    /// In lower case; nil if there is none.
    package let charset: String?

    /// Returns nil if the text is not a media type, or names a parameter twice.
    package init?(_ text: String) {
        // Nearly all clients send this, so it is not parsed.
        if text == "application/json" {
            self.essence = text
            self.charset = nil
            return
        }
        var scanner = FieldScanner(text)
        guard let type = scanner.readToken(), scanner.take(.slash), let subtype = scanner.readToken(),
            let parameters = scanner.readParameters(), scanner.isAtEnd,
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
