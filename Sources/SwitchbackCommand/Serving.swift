/// Starts the server with a configuration, and stays until it has ended.
import ArgumentParser
import Switchback

enum Serving {
    static func run(_ loader: ConfigurationLoader) async throws {
        let attempt = loader.load()
        let configuration: Configuration
        switch attempt.outcome {
        case .success(let loaded): configuration = loaded.configuration
        case .failure(let problems):
            Output.problems(problems.list, in: loader.path)
            throw ExitCode.failure
        }
        let logger = LogOutput.logger(configuration.log)
        let server = try SwitchbackServer(configuration: configuration, logger: logger)
        try await server.run(reloader: Reloader(loader, attempt, server: server, logger: logger))
    }
}
