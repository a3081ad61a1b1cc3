/// A cookie that a browser is given (RFC 6265 §4.1, and 6265bis for SameSite and name prefixes).
package struct SetCookie: Equatable, Sendable {
    package enum SameSite: String, Sendable {
        case strict = "Strict"
        case lax = "Lax"
        /// Sent with requests from other sites too, such as a broker's form post.
        case none = "None"
    }

    package let name: String
    package let value: String
    package let sameSite: SameSite
    /// In seconds; zero deletes it, nil keeps it until the browser is closed.
    package let maxAge: Int?

    /// Nil when name or value cannot be written.
    package init?(_ name: String, _ value: String, sameSite: SameSite, maxAge: Int? = nil) {
        guard !name.isEmpty, name.utf8.allSatisfy({ $0.isToken }), value.utf8.allSatisfy({ $0.isCookieValue }) else {
            return nil
        }
        self.name = name
        self.value = value
        self.sameSite = sameSite
        self.maxAge = maxAge
    }

    /// As a field has it: for this host only, all of its paths, https only, and hidden from scripts.
    package var fieldValue: String {
        let age = self.maxAge.map { "; Max-Age=\($0)" } ?? ""
        return "\(self.name)=\(self.value); Path=/\(age); Secure; HttpOnly; SameSite=\(self.sameSite.rawValue)"
    }
}
