import ArgumentParser

/// `switchback serve`: runs the server.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server.",
        discussion: """
            SIGTERM and SIGINT stop it without losing a login. SIGHUP, or a change of a configuration file, makes it \
            reload the configuration. If the new configuration is invalid, it refuses it and keeps the current one.

            Examples:
              switchback serve --config /etc/switchback/switchback.yaml
              SWITCHBACK_CONFIG=/etc/switchback/switchback.yaml \\
                switchback serve --listen 0.0.0.0:8080
            """)

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        try await ServerRunner.run(try self.options.loader())
    }
}
