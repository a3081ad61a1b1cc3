import Foundation
import SwitchbackClient

/// How each login was opened, in a file: in which window, and in what. It has no link and no secret.
@MainActor final class OpenedLogins {
    /// One login.
    struct Entry: Codable, Equatable {
        /// The window's name.
        var window: String
        /// Nil until a browser was opened.
        var browser: BrowserSurface?
    }

    private let file: URL?
    private var entries: [String: Entry]

    /// Reads the file. One that cannot be read counts as empty: the login then goes on in what the server prefers.
    /// Without a file nothing outlives the process.
    init(file: URL?) {
        self.file = file
        let bytes = file.flatMap { try? Data(contentsOf: $0) }
        self.entries = bytes.flatMap { try? JSONDecoder().decode([String: Entry].self, from: $0) } ?? [:]
    }

    subscript(_ login: LoginSession) -> Entry? {
        get { self.entries[login.id.uuidString] }
        set {
            guard self.entries[login.id.uuidString] != newValue else { return }
            self.entries[login.id.uuidString] = newValue
            self.save()
        }
    }

    private func save() {
        guard let file, let bytes = try? JSONEncoder().encode(self.entries) else { return }
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        #if canImport(Darwin) && !os(macOS)
        let options: Data.WritingOptions = [.atomic, .completeFileProtectionUntilFirstUserAuthentication]
        #else
        let options: Data.WritingOptions = [.atomic]
        #endif
        try? bytes.write(to: file, options: options)
    }
}
