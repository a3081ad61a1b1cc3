import ArgumentParser
import Preflight
import ServerConfiguration

/// `switchback check`: prints what to register with the brokers, every problem of a configuration, and a verdict.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a configuration, and print what to register with each broker and in each app.",
        discussion: """
            Prints every URI to register, byte for byte and with where to enter it, which providers are switched off, and where logins are stored. Then it prints every problem and \
            what to do about it. An error means that the server would not start or would be open to an attack; a \
            warning means that someone should look at it. The last line is the verdict: `Ready` without an error, and \
            `Not ready` with one; the exit code is then 1. The command opens the files that the configuration names. \
            Without --online it does not use the network.

            With --online it then calls every broker and checks that it responds, how long its certificate is valid (and \
            a client secret, if it is a JWT), that its clock agrees with ours, that its discovery document matches the \
            configuration and supports the configured features, and that it has a key for every algorithm. It sends an \
            invalid code to each token endpoint, to see whether the broker accepts our credentials, and asks for its \
            login page, to see whether it knows our URIs; it announces this first, and --no-probe-credentials skips it. \
            It fetches both link files from link_url like Apple and Google do, and reports apps that they do not open. \
            It opens the store postgresql as a server does, reads, writes and removes, and waits for a notification. \
            Each finding is a line that begins with ok, warning or error and says what to do.

            Examples:
              switchback check --config /etc/switchback/switchback.yaml
              switchback check --config /etc/switchback/switchback.yaml --online
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(
        name: .long,
        help:
            "Also check the brokers (connection, certificate, clock, discovery, features, keys) and the link files.")
    var online = false

    @Flag(
        name: .long, inversion: .prefixedNo,
        help:
            "With --online: send an invalid code to each token endpoint, and ask for login pages, to see whether the broker accepts our credentials and URIs."
    )
    var probeCredentials = true

    func run() async throws {
        var report = CheckReport()
        switch try self.options.loader().load().outcome {
        case .failure(let problems): report.add(problems.errors + problems.warnings)
        case .success(let loaded): try await self.check(loaded, &report)
        }
        try report.end()
    }

    private static func problems(ofStore configuration: Configuration) -> [Diagnostic] {
        let errors = StoreReport.errors(configuration)
        return errors.isEmpty ? StoreReport.warnings(configuration) : errors
    }

    private func check(_ loaded: ConfigurationLoader.Loaded, _ report: inout CheckReport) async throws {
        let configuration = loaded.configuration
        let missing = PublicFolderCheck.errors(configuration).map(loaded.settings.placed)
        guard missing.isEmpty else { return report.add(missing + loaded.warnings) }
        Console.printResult(
            RegistrationReport.text(configuration) + "\n" + ProviderReport.text(configuration)
                + StoreReport.text(configuration)
                + TLSReport.text(configuration) + "\n")
        let problems =
            loaded.warnings + RegistrationReport.warnings(configuration) + Self.problems(ofStore: configuration)
            + ListenReport.warnings(configuration) + CertificateInUse.diagnostics(configuration)
            + TLSReport.warnings(configuration) + DescriptorBudget.warnings(configuration)
            + PublicFolderCheck.warnings(configuration)
        report.add(problems.map(loaded.settings.placed))
        guard self.online else { return }
        let check = OnlineCheck(
            configuration, probesCredentials: self.probeCredentials, variables: Environment.variables)
        Console.printResult(check.announcements.map { "\($0)\n" }.joined())
        try await check.run { report.add($0) }
    }
}
