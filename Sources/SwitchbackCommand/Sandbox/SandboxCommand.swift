import ArgumentParser
import Glibc
import ServerConfiguration

/// `switchback sandbox`: runs the server with sandbox brokers, without any configuration.
struct SandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract: "Run the server with brokers that it plays itself, to try it out and for tests.",
        discussion: """
            Listens on consecutive ports: the server, a sandbox provider, operations, a phone with the sandbox's app, and \
            the simulated brokers. PORT moves all of them. Anyone can log in as anyone: never expose it to the internet.

            A terminal shows a line for each call, and one for each login that has ended.

            Examples:
              switchback sandbox
              PORT=9000 switchback sandbox
              switchback sandbox --listen 0.0.0.0:8080 \\
                --public-url http://192.168.1.20:8080
            """)

    @Option(name: .long, help: "The address and first port to listen on. Default: 127.0.0.1 and PORT, or 8080.")
    var listen: String?

    @Option(name: .long, help: "The URL for browsers and phones, if it is not 127.0.0.1.")
    var publicURL: String?

    @Option(name: .long, help: "A folder whose files replace those of the built-in pages.")
    var publicDir: String?

    @Option(
        name: .long,
        help: "The origin of web pages that may call the API, and where their logins end: http://localhost:3000.")
    var origin: [String] = []

    @Option(name: .long, help: "The origin of an API that takes the access tokens, such as Examples/python-api.")
    var api: String?

    func validate() throws { _ = try self.plan() }

    func run() async throws {
        let plan = try self.plan()
        if let warning = plan.warning { Console.printBanner(warning) }
        let isTerminal = isatty(STDOUT_FILENO) == 1
        try await SandboxRunner.run(
            plan, publicFolder: self.publicDir, timeline: isTerminal ? SandboxTimeline(plan) : nil
        ) {
            Console.printResult(SandboxTour(plan).text)
        }
    }

    private func plan() throws -> SandboxPlan {
        let port = Environment.variables["PORT"]
        guard var plan = SandboxPlan(listen: self.listen, publicURL: self.publicURL, port: port) else {
            throw ValidationError(SandboxPlan.mistake(listen: self.listen, publicURL: self.publicURL, port: port))
        }
        let origins = SettingTable.all.first { $0.pattern.description == "apps.*.origins" }
        for origin in self.origin {
            if let problem = origins?.problem(of: origin) { throw ValidationError("--origin \(problem)") }
        }
        plan.origins = self.origin
        guard plan.take(api: self.api) else {
            throw ValidationError("--api must be http://host:port or https://host.")
        }
        return plan
    }
}
