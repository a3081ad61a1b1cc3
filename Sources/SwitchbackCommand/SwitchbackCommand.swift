import ArgumentParser
import Base

/// `switchback`: the command and its subcommands.
@main
struct SwitchbackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "switchback",
        abstract: "The login backend for native apps: OpenID Connect on the server, five rules in the app.",
        discussion: """
            Try it without any configuration:
              switchback demo
              switchback sandbox

            Run it:
              switchback init /etc/switchback
              switchback check --config /etc/switchback/switchback.yaml
              switchback serve --config /etc/switchback/switchback.yaml

            You can set every setting with a variable such as SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET, or with the file
            that SWITCHBACK_BROKERS__IDURA__CLIENT_SECRET_FILE names. Flags override variables; both override the file.
            """,
        version: ServerVersion.text,
        subcommands: [
            ServeCommand.self, SandboxCommand.self, DemoCommand.self, InitCommand.self, CheckCommand.self,
            ConfigCommand.self, MigrateCommand.self, HealthCommand.self, LoginCommand.self, ReloadCommand.self,
            KeysCommand.self, AuditCommand.self, PagesCommand.self, CompletionCommand.self,
        ])

    static func main() async {
        let spelling = CommandSpelling(Self.self)
        let words = spelling.words(Array(CommandLine.arguments.dropFirst()))
        if let mistake = spelling.mistake(in: words) {
            Console.printError(mistake)
            Self.exit(withError: ExitCode.validationFailure)
        }
        await Self.main(words)
    }

    /// Errors of the arguments begin like all others.
    static var _errorPrefix: String { Console.errorPrefix }
}
