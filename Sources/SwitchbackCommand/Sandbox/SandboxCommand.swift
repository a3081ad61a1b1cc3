/// `switchback sandbox`: the server and a sandbox provider, with nothing to configure.
import ArgumentParser

struct SandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract: "Run the server with an OpenID provider of its own, for trying out and for tests.",
        discussion: """
            Listens on ports in a row: the server, a sandbox provider, operations, a phone with the sandbox's app, and the
            brokers that it can play. PORT moves all of them. Everybody can log in as anybody: never show it to the internet.

            Examples:
              switchback sandbox
              PORT=9000 switchback sandbox
              switchback sandbox --listen 0.0.0.0:8080 --public-url http://192.168.1.20:8080
            """)

    @Option(name: .long, help: "The address and first port to listen on. Default: 127.0.0.1 and PORT, or 8080.")
    var listen: String?

    @Option(name: .long, help: "How browsers and phones reach it, when that is not 127.0.0.1.")
    var publicURL: String?

    @Option(name: .long, help: "The folder with the pages and openapi.yaml.")
    var publicDir: String?

    @Option(name: .long, help: "The origin of a web page that may call the API, as in http://localhost:3000.")
    var origin: [String] = []

    func run() async throws {
        let environment = Environment.variables
        guard var plan = SandboxPlan(listen: self.listen, publicURL: self.publicURL, port: environment["PORT"]) else {
            throw ValidationError(
                "--listen and PORT must leave room for eight ports, --public-url be http://host:port.")
        }
        plan.origins = self.origin
        if let warning = plan.warning { Console.banner(warning) }
        try await SandboxRunning.run(plan, publicFolder: self.publicDir)
    }
}
