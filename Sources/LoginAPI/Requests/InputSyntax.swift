/// Checks the syntax of texts in a body.
import Base

enum InputSyntax {
    /// Checks the name of a provider, an app, a system or a PIN: `[A-Za-z0-9_.-]`, up to 64 characters.
    static func isName(_ text: String) -> Bool {
        1...64 ~= text.utf8.count
            && text.utf8.allSatisfy {
                Self.isLetterOrDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: ".")
            }
    }

    /// Checks the rough syntax of BCP 47: subtags of up to eight letters and digits, the first of letters only.
    static func isLanguageTag(_ text: String) -> Bool {
        let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count <= 35, let language = subtags.first, 2...8 ~= language.utf8.count else { return false }
        return language.utf8.allSatisfy { Self.isLetter($0) }
            && subtags.dropFirst().allSatisfy { subtag in
                1...8 ~= subtag.utf8.count && subtag.utf8.allSatisfy { Self.isLetterOrDigit($0) }
            }
    }

    /// Checks that a text is not empty and has no control characters. The limit is in Unicode scalars, like `maxLength`
    /// of JSON Schema.
    static func isText(_ text: String, atMost limit: Int) -> Bool {
        1...limit ~= text.unicodeScalars.count
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// Checks the code of a page: six digits, with blanks and hyphens as users type them.
    static func isPageCode(_ text: String) -> Bool {
        let typed = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
        return text.utf8.count <= 32 && typed.count == 6
            && typed.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    /// Checks the thumbprint of a key (RFC 7638): a SHA-256 as base64url.
    static func isThumbprint(_ text: String) -> Bool { Base64URL.decode(text)?.count == 32 }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        Self.isLetter(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
