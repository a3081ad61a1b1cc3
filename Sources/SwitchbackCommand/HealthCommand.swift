import ArgumentParser
import Base

/// `switchback health`: asks a running server whether it is ready, for use in containers.
struct HealthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Ask the server on this machine whether it is ready. The exit code is 0 if it is ready and 1 if not.",
        discussion: """
            Requests GET /readyz on the operations port. The address comes from --operations-listen, from
            SWITCHBACK_OPERATIONS_LISTEN or from the configuration file. The default is 127.0.0.1:8082.

            Example, in a Dockerfile:
              HEALTHCHECK CMD ["switchback", "health"]
            """)

    @Option(name: .long, help: "The configuration file. Default: the value of SWITCHBACK_CONFIG.", completion: .file())
    var config: String?

    @Option(name: .long, help: "The address and port, or Unix socket, of the operations port.")
    var operationsListen: String?

    @Option(name: .long, help: "How many seconds to wait for the response.")
    var timeout = 3

    func run() throws {
        let environment = Environment.variables
        let address = Health.address(flag: self.operationsListen, config: self.config, environment: environment)
        guard let address else {
            Console.printError("no operations address is configured")
            throw ExitCode.failure
        }
        do throws(OperatorError) {
            try Health.ask(address, seconds: max(1, self.timeout))
        } catch {
            let note = Health.unreadableFile(self.config, environment).map { " (\($0))" } ?? ""
            Console.printError("not ready: \(error)\(note)")
            throw ExitCode.failure
        }
    }
}
