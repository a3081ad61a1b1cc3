/// `switchback sandbox`: runs the server with sandbox brokers, without any configuration.
import ArgumentParser

struct SandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract: "Run the server with its own OpenID provider, to try it out and for tests.",
        discussion: """
            Listens on consecutive ports: the server, a sandbox provider, operations, a phone with the sandbox's app, and
            the simulated brokers. PORT moves all of them. Anyone can log in as anyone: never expose it to the internet.

            Examples:
              switchback sandbox
              PORT=9000 switchback sandbox
              switchback sandbox --listen 0.0.0.0:8080 --public-url http://192.168.1.20:8080
            """)

    @Option(name: .long, help: "The address and first port to listen on. Default: 127.0.0.1 and PORT, or 8080.")
    var listen: String?

    @Option(name: .long, help: "The URL for browsers and phones, if it is not 127.0.0.1.")
    var publicURL: String?

    @Option(name: .long, help: "The folder with the pages and openapi.yaml.")
    var publicDir: String?

    @Option(name: .long, help: "The origin of a web page that may call the API, for example http://localhost:3000.")
    var origin: [String] = []

    @Option(name: .long, help: "The origin of an API that takes the access tokens, such as Examples/python-api.")
    var api: String?

    func run() async throws {
        let environment = Environment.variables
        guard var plan = SandboxPlan(listen: self.listen, publicURL: self.publicURL, port: environment["PORT"]) else {
            throw ValidationError(
                "--listen and PORT must leave room for eight ports, and --public-url must be http://host:port.")
        }
        plan.origins = self.origin
        guard plan.take(api: self.api) else {
            throw ValidationError("--api must be http://host:port or https://host.")
        }
        if let warning = plan.warning { Console.printBanner(warning) }
        try await SandboxRunner.run(plan, publicFolder: self.publicDir)
    }
}
