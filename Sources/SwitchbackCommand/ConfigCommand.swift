/// `switchback config`: the effective configuration, and where each setting came from.
import ArgumentParser
import ServerConfiguration

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the effective configuration as YAML, secrets as ***, each setting with where it came from.",
        discussion: """
            What is wrong goes to standard error, and makes the exit code 1; the rest is printed all the same.

            Example:
              switchback config --config /etc/switchback/switchback.yaml
            """)

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        let source = try self.options.source()
        let (settings, problems) = Configuration.settings(source)
        print(settings.yaml, terminator: "")
        Console.warnings(problems.warnings)
        guard problems.errors.isEmpty else {
            Console.problems(problems.errors, in: source.name)
            throw ExitCode.failure
        }
    }
}
