/// Starts the server with a configuration, and stays until it has ended.
import ArgumentParser
import Switchback

enum Serving {
    static func run(_ configuration: Configuration) async throws {
        let logger = LogOutput.logger(configuration.log)
        let server = try SwitchbackServer(configuration: configuration, logger: logger)
        try await server.run()
    }
}
