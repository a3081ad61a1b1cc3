import ArgumentParser
import Base
import Glibc
import Preflight
import ServerConfiguration
import Switchback
import Telemetry

/// Starts the server with a configuration, and runs until it has stopped.
enum ServerRunner {
    /// With this variable Swift's tables hash without a secret key, and callers can choose keys that meet in them.
    private static let fixedHashing = "SWIFT_DETERMINISTIC_HASHING"

    /// The log says why the server does not start. If it is JSON, so are these errors.
    static func run(_ loader: ConfigurationLoader) async throws {
        do {
            try await Self.serve(loader)
        } catch {
            if let code = error as? ExitCode { throw code }
            let reasons = (error as? ConfigurationError)?.errors.map(\.description) ?? ["\(error)"]
            let shape = LogOutput.shape(of: loader)
            guard shape == .json else {
                for reason in reasons { Console.printError(reason) }
                throw ExitCode.failure
            }
            let log = LogWriter(shape: shape)
            let logger = LogOutput.logger(level: .critical, to: log)
            for reason in reasons { logger.logFailedStart(reason) }
            log.flush()
            throw ExitCode.failure
        }
    }

    private static func serve(_ loader: ConfigurationLoader) async throws {
        guard Environment.variables[Self.fixedHashing] == nil else {
            throw OperatorError(
                "\(Self.fixedHashing) is set, and lets callers fill tables with keys that meet: remove it")
        }
        let attempt = loader.load()
        let loaded = try attempt.outcome.get()
        let configuration = loaded.configuration
        let missing = PublicFolderCheck.errors(configuration).map(loaded.settings.placed)
        guard missing.isEmpty else { throw ConfigurationError(missing) }
        let log = LogWriter(configuration.log)
        // Also when the start fails: its lines come before the error.
        defer { log.flush() }
        let logger = LogOutput.logger(level: configuration.log.level, to: log)
        for warning in loaded.warnings { logger.log(warning) }
        let sockets = try ActivatedSockets.take(Environment.variables)
        let manager = ServiceManager.take(Environment.variables)
        // SIGHUP would end the process before the reloader handles it.
        signal(SIGHUP, SIG_IGN)
        let server = try SwitchbackServer(
            configuration: loaded.configuration, logger: logger, log: log, sockets: sockets)
        let reloader = Reloader(loader, attempt, server: server, logger: logger, tell: { manager.tell($0) })
        try await server.run(
            reloader: reloader, started: { manager.tell(.ready) }, stopping: { manager.tell(.stopping) })
    }
}
