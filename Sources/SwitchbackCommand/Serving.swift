/// Starts the server with a configuration, and stays until it has ended.
import ArgumentParser
import Glibc
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
        let sockets = try ActivatedSockets.take(Environment.variables)
        let manager = ServiceManager.take(Environment.variables)
        // Until the reloader listens to it; it would end us.
        signal(SIGHUP, SIG_IGN)
        let server = try SwitchbackServer(configuration: configuration, logger: logger, sockets: sockets)
        let reloader = Reloader(loader, attempt, server: server, logger: logger, tell: { manager.tell($0) })
        try await server.run(
            reloader: reloader, started: { manager.tell(.ready) }, stopping: { manager.tell(.stopping) })
    }
}
