/// `switchback check`: prints every problem of a configuration at once, or what to register with the brokers.
import ArgumentParser
import Preflight
import ServerConfiguration

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a configuration, and print what to register with each broker and in each app.",
        discussion: """
            Prints the URIs to register, byte for byte, and where logins are stored. Then it prints every problem and \
            what to do about it. An error means that the server would not start or would be open to an attack; a \
            warning means that someone should look at it. The last line is `ok` or the number of errors and warnings. \
            The exit code is 1 if there is an error. The command opens the files that the configuration names. Without \
            --online it does not use the network.

            With --online it then calls every broker and checks that it responds, how long its certificate is valid, \
            that its clock agrees with ours, that its discovery document matches the configuration and supports the \
            configured features, and that it has a key for every algorithm. It sends an invalid code to each token \
            endpoint, to see whether the broker accepts our credentials; it announces this first, and \
            --no-probe-credentials skips it. It fetches both link files from link_url like Apple and Google do, and \
            reports apps that they do not open. For store postgresql it checks the database schema. Each finding is a \
            line that begins with ok, warning or error and says what to do.

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
            "With --online: send an invalid code to each token endpoint, to see whether it accepts our credentials.")
    var probeCredentials = true

    func run() async throws {
        let loader = try self.options.loader()
        let loaded: ConfigurationLoader.Loaded
        do throws(ConfigurationError) {
            loaded = try loader.load().outcome.get()
        } catch {
            throw Self.refused(error.errors, error.warnings, in: loader.path)
        }
        let missing = PublicFolderCheck.errors(loaded.configuration)
        guard missing.isEmpty else { throw Self.refused(missing, loaded.warnings, in: loader.path) }
        let configuration = loaded.configuration
        Console.printResult(
            RegistrationReport.text(configuration) + "\n" + StoreReport.text(configuration)
                + TLSReport.text(configuration))
        let warnings =
            loaded.warnings + RegistrationReport.warnings(configuration) + StoreReport.warnings(configuration)
            + TLSReport.warnings(configuration) + DescriptorBudget.warnings(configuration)
            + PublicFolderCheck.warnings(configuration)
        Console.printResult("\n" + warnings.map { "warning: \($0)\n" }.joined())
        var verdict = CheckSummary(errors: 0, warnings: warnings.count)
        if self.online {
            verdict += try await OnlineReport.print(configuration, probesCredentials: self.probeCredentials)
        }
        Console.printResult("\(verdict)\n")
        if verdict.errors > 0 { throw ExitCode.failure }
    }

    /// Prints why the server would not start.
    private static func refused(_ errors: [Diagnostic], _ warnings: [Diagnostic], in path: String) -> ExitCode {
        Console.printProblems(errors, in: path)
        Console.printWarnings(warnings)
        Console.printBanner("\(CheckSummary(errors: errors.count, warnings: warnings.count))")
        return .failure
    }
}

/// The output of `switchback check --online`: one line for each finding.
enum OnlineReport {
    static func print(_ configuration: Configuration, probesCredentials: Bool) async throws -> CheckSummary {
        var verdict = CheckSummary()
        let check = OnlineCheck(configuration, probesCredentials: probesCredentials)
        Console.printResult(check.announcements.map { "\($0)\n" }.joined())
        try await check.run { findings in
            verdict += CheckSummary(
                errors: findings.count { $0.level == .error }, warnings: findings.count { $0.level == .warning })
            Console.printResult(findings.map { "\($0)\n" }.joined())
        }
        return verdict
    }
}

/// The number of errors and warnings, which is the last line of `switchback check`.
struct CheckSummary: CustomStringConvertible {
    private(set) var errors = 0
    private(set) var warnings = 0

    static func += (a: inout Self, b: Self) {
        a.errors += b.errors
        a.warnings += b.warnings
    }

    var description: String {
        guard self.errors + self.warnings > 0 else { return "ok" }
        return "\(Self.text(self.errors, "error")), \(Self.text(self.warnings, "warning"))"
    }

    private static func text(_ count: Int, _ word: String) -> String { count == 1 ? "1 \(word)" : "\(count) \(word)s" }
}
