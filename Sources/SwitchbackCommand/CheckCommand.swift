/// `switchback check`: every problem of a configuration at once, or what to register at the brokers.
import ArgumentParser
import Preflight
import ServerConfiguration

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a configuration, and print what to register at each broker and in each app.",
        discussion: """
            Prints the URIs to register, byte for byte, and where logins will be kept. Then it prints everything that is \
            wrong: an error where the server would not start, or an attack would work, and a warning where somebody should \
            look. Each says what to do. The last line is `ok`, or counts them. With an error it exits with 1.
            It opens the files that the configuration names. Without --online it asks nobody on the network.

            With --online it then asks every broker: does it answer, how long does its certificate last, is its clock ours, \
            is its discovery document what is configured, does it say that it does what is configured, has it a key for \
            every algorithm. It asks each token endpoint to redeem a made-up code, which shows whether the broker takes our \
            credentials; it says so first, and --no-probe-credentials leaves it out. It fetches both link files from link_url \
            as Apple and Google do, and says which app they do not open. It asks the database of store postgresql whether its \
            schema fits. Each finding is a line that begins with ok, warning or error and says what to do.

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

    @Flag(
        name: .long, inversion: .prefixedNo,
        help:
            "With --online: ask each token endpoint to redeem a made-up code, to see whether it takes our credentials.")
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
        Console.result(
            Registration.text(configuration) + "\n" + StoreReport.text(configuration) + TLSReport.text(configuration))
        let warnings =
            loaded.warnings + Registration.warnings(configuration) + StoreReport.warnings(configuration)
            + TLSReport.warnings(configuration) + DescriptorBudget.warnings(configuration)
        Console.result("\n" + warnings.map { "warning: \($0)\n" }.joined())
        var verdict = Verdict(errors: 0, warnings: warnings.count)
        if self.online {
            verdict += try await OnlineReport.print(configuration, probesCredentials: self.probeCredentials)
        }
        Console.result("\(verdict)\n")
        if verdict.errors > 0 { throw ExitCode.failure }
    }

    /// Prints why the server would not start.
    private static func refused(_ errors: [Diagnostic], _ warnings: [Diagnostic], in path: String) -> ExitCode {
        Console.problems(errors, in: path)
        Console.warnings(warnings)
        Console.banner("\(Verdict(errors: errors.count, warnings: warnings.count))")
        return .failure
    }
}

/// What `switchback check --online` prints: a line for each finding.
enum OnlineReport {
    static func print(_ configuration: Configuration, probesCredentials: Bool) async throws -> Verdict {
        var verdict = Verdict()
        let check = OnlineCheck(configuration, probesCredentials: probesCredentials)
        Console.result(check.announcements.map { "\($0)\n" }.joined())
        try await check.run { findings in
            verdict += Verdict(
                errors: findings.count { $0.level == .error }, warnings: findings.count { $0.level == .warning })
            Console.result(findings.map { "\($0)\n" }.joined())
        }
        return verdict
    }
}

/// How many errors and warnings there were: the last line of `switchback check`.
struct Verdict: CustomStringConvertible {
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
