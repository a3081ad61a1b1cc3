/// What a client says of itself in `User-Agent` (RFC 9110 §10.1.5). It is for the log and for one metric, and decides
/// nothing, because anyone can write anything there.
///
/// Only the exact form of the client libraries is read. Any other text may be a sentence or a secret, so nothing of it is
/// kept.
package enum UserAgent: Equatable, Sendable {
    /// The request has no such field.
    case missing
    /// The client is a browser or another program, or the field is made up.
    case other
    /// Indirect, because every caller of a step is copied with it.
    indirect case library(Library)

    /// A client library and the app that it is in: `switchback-kotlin/1.2.0 (android 15; com.example.shop 4.2)`.
    package struct Library: Equatable, Sendable {
        /// What follows the beginning that all libraries share: `kotlin`.
        package let name: String
        package let version: String
        package let system: String
        package let systemVersion: String
        /// The app's id on its system. It is not the name of an app in the configuration.
        package let app: String
        package let appVersion: String
    }

    /// Takes the values of all fields of this name. Two of them are nobody's.
    package init(_ values: [String]) {
        guard let value = values.first else {
            self = .missing
            return
        }
        guard values.count == 1, let library = Library(value) else {
            self = .other
            return
        }
        self = .library(library)
    }
}

extension UserAgent.Library {
    private static let longestName = 16
    private static let longestVersion = 32
    private static let longestApp = 128

    /// Returns nil if the text has any other form.
    fileprivate init?(_ text: String) {
        var reader = WordReader(text)
        guard reader.take("switchback-"), let name = reader.takeWord(atMost: Self.longestName), reader.take("/"),
            let version = reader.takeWord(atMost: Self.longestVersion), reader.take(" ("),
            let system = reader.takeWord(atMost: Self.longestName), reader.take(" "),
            let systemVersion = reader.takeWord(atMost: Self.longestVersion), reader.take("; "),
            let app = reader.takeWord(atMost: Self.longestApp), reader.take(" "),
            let appVersion = reader.takeWord(atMost: Self.longestVersion), reader.take(")"), reader.isAtEnd
        else { return nil }
        self.init(
            name: name, version: version, system: system, systemVersion: systemVersion, app: app,
            appVersion: appVersion)
    }
}

extension UserAgent: CustomStringConvertible {
    /// The words of the log. Those of a library are its field, byte for byte.
    package var description: String {
        switch self {
        case .missing: "none"
        case .other: "other"
        case .library(let library):
            "switchback-\(library.name)/\(library.version) "
                + "(\(library.system) \(library.systemVersion); \(library.app) \(library.appVersion))"
        }
    }
}

/// Reads a text from left to right.
private struct WordReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { self.rest = Array(text.utf8)[...] }

    var isAtEnd: Bool { self.rest.isEmpty }

    mutating func take(_ text: String) -> Bool {
        guard self.rest.starts(with: text.utf8) else { return false }
        self.rest.removeFirst(text.utf8.count)
        return true
    }

    /// Takes letters, digits, dots, dashes, underscores and plus signs, the first of them a letter or a digit.
    mutating func takeWord(atMost limit: Int) -> String? {
        let word = self.rest.prefix { Self.isAlphanumeric($0) || ".-_+".utf8.contains($0) }
        guard let first = word.first, Self.isAlphanumeric(first), word.count <= limit else { return nil }
        self.rest.removeFirst(word.count)
        return String(decoding: word, as: UTF8.self)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
