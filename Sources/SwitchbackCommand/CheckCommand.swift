/// `switchback check`: every problem of a configuration at once, or what to register at the brokers.
import ArgumentParser
import Switchback

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a configuration, and print what to register at each broker.",
        discussion: """
            Prints every problem and exits with 1, or prints the URIs to register, byte for byte, and exits with 0.
            It opens the files that the configuration names, and asks nobody on the network.

            Example:
              switchback check --config /etc/switchback/switchback.yaml
            """)

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        print(Registration.text(try self.options.load()), terminator: "")
    }
}
