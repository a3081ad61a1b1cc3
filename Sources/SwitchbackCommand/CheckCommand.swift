/// `switchback check`: every problem of a configuration at once, or what to register at the brokers.
import ArgumentParser
import Switchback

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a configuration, and print what to register at each broker and in each app.",
        discussion: """
            Prints every problem and exits with 1, or prints the URIs to register, byte for byte, and where logins will be \
            kept, and exits with 0.
            It opens the files that the configuration names. Without --online it asks nobody on the network.

            With --online it then asks every broker: does it answer, how long does its certificate last, is its clock ours, \
            is its discovery document what is configured, does it say that it does what is configured, has it a key for \
            every algorithm. It fetches both link files from link_url as Apple and Google do, and says which app they do not \
            open. It asks the database of store postgresql whether its schema fits. Each finding is a line that begins with ok, warning or error and says what to do; with an \
            error the command exits with 1.

            Examples:
              switchback check --config /etc/switchback/switchback.yaml
              switchback check --config /etc/switchback/switchback.yaml --online
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(
        name: .long,
        help:
            "Ask the brokers too (connection, certificate, clock, discovery, features, keys), and read the link files.")
    var online = false

    func run() async throws {
        let configuration = try self.options.load()
        Output.result(
            Registration.text(configuration) + "\n" + StoreReport.text(configuration) + TLSReport.text(configuration))
        guard self.online else { return }
        guard try await OnlineReport.print(configuration) else { throw ExitCode.failure }
    }
}
