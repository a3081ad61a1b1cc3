import ArgumentParser
import Base
import Glibc
import Synchronization

/// `switchback demo`: a sandbox, and two logins in it that nobody has to click.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show a login that fails and one that recovers, with a line for each event.",
        discussion: """
            Starts a sandbox and plays the app, the browser and the user. Each line tells when something happened, who \
            acted (app, browser, switchback or broker) and what: a request with its status, an answer of the broker to \
            the server, or an event of the server's log. \
            On a terminal it takes its time. It needs no configuration, and ends by itself.

            Examples:
              switchback demo
              PORT=9000 switchback demo
            """)

    @Option(name: .long, help: "The address and first port to listen on. Default: 127.0.0.1 and PORT, or 8080.")
    var listen: String?

    @Option(name: .long, help: "The folder with the pages and openapi.yaml.", completion: .directory)
    var publicDir: String?

    func validate() throws { _ = try self.plan() }

    func run() async throws {
        let plan = try self.plan()
        let timeline = DemoTimeline(pause: isatty(STDOUT_FILENO) == 1 ? .milliseconds(400) : .zero)
        let outcome = DemoOutcome()
        try await SandboxRunner.run(
            plan, publicFolder: self.publicDir, log: { timeline.event(logged: $0) },
            answered: { timeline.event(.broker, "answers \($0) → \($1)") }
        ) {
            // Not awaited, so that Ctrl-C need not wait for it.
            Task {
                let result: Result<Void, any Error>
                do {
                    result = .success(try await DemoScript(plan: plan, timeline: timeline).run())
                } catch {
                    result = .failure(error)
                }
                outcome.result.withLock { $0 = result }
                // Ends the sandbox as an operator would.
                kill(getpid(), SIGTERM)
            }
        }
        guard let result = outcome.result.withLock({ $0 }) else { throw ExitCode.failure }
        try result.get()
        Console.printResult("\nNow do it yourself: `switchback sandbox`.\n")
    }

    private func plan() throws -> SandboxPlan {
        let port = Environment.variables["PORT"]
        guard let plan = SandboxPlan(listen: self.listen, publicURL: nil, port: port) else {
            throw ValidationError(SandboxPlan.mistake(listen: self.listen, publicURL: nil, port: port))
        }
        return plan
    }
}

/// How a demo has ended.
private final class DemoOutcome: Sendable {
    /// Nil until it has.
    let result = Mutex<Result<Void, any Error>?>(nil)
}
