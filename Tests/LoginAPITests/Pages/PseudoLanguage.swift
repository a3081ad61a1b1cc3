import Foundation

@testable import LoginAPI

/// A language for tests only, made from English: it is written from right to left, and its words are 40 % longer.
enum PseudoLanguage {
    /// The tag that Android uses for such a language is `en-XB` too.
    static let tag = "en-XB"

    /// Hebrew letters, in place of the Latin ones.
    private static let letters = (0x05D0...0x05EA).compactMap { Unicode.Scalar($0).map(Character.init) }

    /// Adds the language to a copy of `Public`.
    static func add(to folder: URL) throws {
        let english = try PageStrings(PublicFolder(folder.path)).language(for: ["en"])
        var lines = [
            "review: draft", "direction: rtl", "the_app: \(Self.text("the app"))",
            "the_provider: \(Self.text("your ID"))", "texts:",
        ]
        for key in PageText.allCases {
            // The names stand for themselves, so that the text is as in the file.
            let number = english.places(in: key).contains(.seconds) ? "{seconds}" : "{minutes}"
            let text = english.text(key, app: "{app}", provider: "{provider}", number: number).replacing(
                "\u{AD}", with: "")
            lines.append("  \(key.rawValue): \"\(Self.text(text))\"")
        }
        let file = folder.appending(path: "strings/\(Self.tag).yaml")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    }

    /// Replaces every word, except the names of the app and the e-ID.
    static func text(_ english: String) -> String {
        english.replacing(/\{[a-z]+\}|[A-Za-z]+/) { match in
            match.output.hasPrefix("{") ? String(match.output) : Self.word(String(match.output))
        }
    }

    private static func word(_ english: String) -> String {
        let letters = english.lowercased().unicodeScalars.map { Self.letters[Int($0.value) % Self.letters.count] }
        let longer = letters + letters.prefix((2 * letters.count + 4) / 5)
        let parts = stride(from: 0, to: longer.count, by: 5).map { String(longer[$0..<min($0 + 5, longer.count)]) }
        return parts.joined(separator: "|")
    }
}
