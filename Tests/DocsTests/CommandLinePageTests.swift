import ArgumentParser
import Testing

@testable import SwitchbackCommand

/// Generates docs/reference/command-line.md from the help of each command.
@Suite struct CommandLinePageTests {
    @Test func `the page has the help of every command`() throws {
        let part = GeneratedPart(path: "docs/reference/command-line.md", source: "the --help of each command")
        let sections: [String] = Self.commands(below: SwitchbackCommand.self, "switchback").map { name, command in
            let help = SwitchbackCommand.helpMessage(for: command, columns: 80)
            return "## `\(name)`\n\n```text\n\(help.trimmingLineEnds)\n```\n"
        }
        try part.expect(sections.joined(separator: "\n"))
    }

    /// The command itself, then those below it.
    private static func commands(
        below command: any ParsableCommand.Type, _ name: String
    ) -> [(name: String, command: any ParsableCommand.Type)] {
        [(name, command)]
            + command.configuration.subcommands.flatMap { below in
                Self.commands(below: below, "\(name) \(below.configuration.commandName ?? "")")
            }
    }
}

extension String {
    /// Without blanks at the ends of lines, and without empty lines at its end.
    fileprivate var trimmingLineEnds: String {
        var lines = self.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
        while lines.last == "" { lines.removeLast() }
        return lines.joined(separator: "\n")
    }
}
