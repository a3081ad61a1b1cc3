import ArgumentParser
import Base

/// Finds what somebody meant who typed a command that does not exist. It reads the words before the parser does, which
/// only says that one of them is unexpected.
struct CommandSpelling {
    /// Commands that read `--config`, and take no other file.
    private static let readers: Set<String> = ["serve", "check", "config", "migrate", "health", "reload"]
    private static let versionWords: Set<String> = ["version", "-v", "-V"]
    private static let help = "help"

    private let root: any ParsableCommand.Type

    init(_ root: any ParsableCommand.Type) { self.root = root }

    /// Returns the words as the parser takes them: `version` is `--version`.
    func words(_ words: [String]) -> [String] {
        words.count == 1 && Self.versionWords.contains(words[0]) ? ["--version"] : words
    }

    /// Returns what is wrong and what to type; nil if the parser can tell.
    func mistake(in words: [String]) -> String? {
        var (command, path) = (self.root, Self.name(of: self.root))
        var words = words[...]
        if words.first == Self.help { words.removeFirst() }
        while let word = words.first, !command.configuration.subcommands.isEmpty {
            if word.hasPrefix("-") { return command == self.root ? Self.mistake(inOption: word, path) : nil }
            guard let next = command.configuration.subcommands.first(where: { Self.name(of: $0) == word }) else {
                return Self.mistake(inCommand: word, of: command, path)
            }
            (command, path) = (next, "\(path) \(word)")
            words.removeFirst()
        }
        return Self.mistake(inFile: words.first, of: command, path)
    }

    private static func name(of command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }

    private static func mistake(
        inCommand word: String, of command: any ParsableCommand.Type, _ path: String
    ) -> String {
        let names = command.configuration.subcommands.map { Self.name(of: $0) }
        let nearest = SpellingSuggestion.word(to: word, in: names)
        return """
            there is no command `\(path) \(word)`\(nearest.map { "; did you mean `\(path) \($0)`?" } ?? "")
            Its commands are \(names.joined(separator: ", ")). `\(path) --help` says what they do.
            """
    }

    private static func mistake(inOption word: String, _ path: String) -> String? {
        let options = ["--version", "--help"]
        guard !options.contains(word), let nearest = SpellingSuggestion.word(to: word, in: options) else { return nil }
        return "there is no option `\(word)`; did you mean `\(path) \(nearest)`?"
    }

    private static func mistake(inFile word: String?, of command: any ParsableCommand.Type, _ path: String) -> String? {
        guard let word, self.readers.contains(Self.name(of: command)),
            [".yaml", ".yml"].contains(where: word.hasSuffix)
        else { return nil }
        return "the configuration needs its option: `\(path) --config \(word)`"
    }
}
