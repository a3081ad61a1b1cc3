import ArgumentParser
import ServerConfiguration

/// `switchback config`: prints the effective configuration, and where each setting comes from.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the effective configuration as YAML, with secrets as *** and the source of each setting.",
        discussion: """
            Problems are printed to standard error, and the exit code is then 1. The other settings are still printed.

            Example:
              switchback config --config /etc/switchback/switchback.yaml
            """)

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        let source = try self.options.source()
        let (settings, problems) = Configuration.settings(source)
        print(settings.yaml, terminator: "")
        Console.printWarnings(problems.warnings)
        guard problems.errors.isEmpty else {
            Console.printErrors(problems.errors)
            throw ExitCode.failure
        }
    }
}
