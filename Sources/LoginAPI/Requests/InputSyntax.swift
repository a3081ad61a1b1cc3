import Base

/// Checks the syntax of texts in a body.
enum InputSyntax {
    /// Checks the name of a provider, an app, a system or a PIN: `[A-Za-z0-9_.-]`, up to 64 characters.
    static func isName(_ text: String) -> Bool {
        1...64 ~= text.utf8.count
            && text.utf8.allSatisfy {
                Self.isLetterOrDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: ".")
            }
    }

    /// Returns the language tag (BCP 47) in a locale as a phone or a library writes it: `da-DK`, `da_DK`,
    /// `en_US@calendar=buddhist`, `en_US.UTF-8`, `zh_TW_#Hant`. Nil if it names no language, as `C` and an empty text do.
    ///
    /// What follows the part that we understand is dropped: at the first character that no tag has, and at the first
    /// subtag that is empty or longer than eight characters.
    static func languageTag(in locale: String) -> String? {
        let tag = locale.utf8.prefix { Self.isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        let subtags = tag.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        // Longer ones are registered nowhere (RFC 5646 §2.2.1), but `POSIX` and `Danish` are names of locales.
        guard let language = subtags.first, 2...3 ~= language.count, language.allSatisfy({ Self.isLetter($0) }) else {
            return nil
        }
        var keptSubtags = [String(decoding: language, as: UTF8.self)]
        var room = Self.languageTagLimit - language.count
        for subtag in subtags.dropFirst() {
            guard 1...8 ~= subtag.count, subtag.count < room else { break }
            keptSubtags.append(String(decoding: subtag, as: UTF8.self))
            room -= subtag.count + 1
        }
        // A single character announces subtags (RFC 5646 §2.2.6), so it means nothing at the end.
        while keptSubtags.count > 1, keptSubtags.last?.utf8.count == 1 { keptSubtags.removeLast() }
        return keptSubtags.joined(separator: "-")
    }

    /// In bytes (RFC 5646 §4.4.1).
    private static let languageTagLimit = 35

    /// Returns the name of an operating system in the form that providers have it in: browsers and phones write `iOS`
    /// and `Android`. Nil if it is no name of a system that a provider could have.
    static func systemName(in text: String) -> String? {
        let name = text.lowercased()
        return Self.isName(name) ? name : nil
    }

    /// Checks that a text is not empty and has no control characters. The limit is in Unicode scalars, like `maxLength`
    /// of JSON Schema.
    static func isText(_ text: String, atMost limit: Int) -> Bool {
        1...limit ~= text.unicodeScalars.count
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// Checks the code of a page: six digits, with blanks and hyphens as users type them.
    static func isPageCode(_ text: String) -> Bool {
        let characters = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }
        return text.utf8.count <= 32 && characters.count == 6
            && characters.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
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
