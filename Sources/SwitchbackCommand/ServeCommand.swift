/// `switchback serve`: runs the server.
import ArgumentParser

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server.",
        discussion: """
            SIGTERM and SIGINT end it without losing a login. SIGHUP, or a change in a file of the configuration, makes it \
            read the configuration anew; one that is wrong is refused, and it goes on with the one it has.

            Examples:
              switchback serve --config /etc/switchback/switchback.yaml
              SWITCHBACK_CONFIG=/etc/switchback/switchback.yaml switchback serve --listen 0.0.0.0:8080
            """)

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        try await Serving.run(try self.options.loader())
    }
}
