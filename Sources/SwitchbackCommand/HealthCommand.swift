/// `switchback health`: asks a running server whether it is ready, for containers.
import ArgumentParser

struct HealthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Ask the server on this machine whether it is ready; the exit code says so.",
        discussion: """
            Asks GET /readyz of the operations port, which it takes from --operations-listen, the variable, the
            configuration file, or is 127.0.0.1:8082.

            Example, in a Dockerfile:
              HEALTHCHECK CMD ["switchback", "health"]
            """)

    @Option(name: .long, help: "The configuration file. Also SWITCHBACK_CONFIG.")
    var config: String?

    @Option(name: .long, help: "The address and port, or the Unix socket, to ask.")
    var operationsListen: String?

    @Option(name: .long, help: "Seconds to wait for the answer.")
    var timeout = 3

    func run() throws {
        let environment = Environment.variables
        let address = Health.address(flag: self.operationsListen, config: self.config, environment: environment)
        guard let address else {
            Console.error("no operations address")
            throw ExitCode.failure
        }
        do throws(Health.HealthError) {
            try Health.ask(address, seconds: max(1, self.timeout))
        } catch {
            Console.error("not ready: \(error.message)")
            throw ExitCode.failure
        }
    }
}
