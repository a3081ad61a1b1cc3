import ArgumentParser

/// `switchback completion`: prints the completion for a shell.
struct CompletionCommand: ParsableCommand {
    /// The shells that ArgumentParser writes completion for.
    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish

        var parsed: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print the completion of commands, options and values for a shell.",
        discussion: """
            The Debian package, the archive and the image have it already.

            Examples:
              source <(switchback completion bash)
              switchback completion zsh > /usr/share/zsh/vendor-completions/_switchback
              switchback completion fish > ~/.config/fish/completions/switchback.fish
            """)

    @Argument(help: "The shell that reads it.")
    var shell: Shell

    var script: String { SwitchbackCommand.completionScript(for: self.shell.parsed) }

    func run() { Console.printResult(self.script + "\n") }
}
