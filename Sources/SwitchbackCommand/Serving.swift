/// Starts the server with a configuration, and stays until it has ended.
import ArgumentParser
import Glibc
import Switchback

enum Serving {
    static func run(_ configuration: Configuration) async throws {
        let logger = LogOutput.logger(configuration.log)
        let sockets = try ActivatedSockets.take(Environment.variables)
        let manager = ServiceManager.take(Environment.variables)
        // `systemctl reload` sends it; without a manager it ends us, as the end of a terminal should.
        if manager.isThere { signal(SIGHUP, SIG_IGN) }
        let server = try SwitchbackServer(configuration: configuration, logger: logger, sockets: sockets)
        try await server.run(started: { manager.tell(.ready) }, stopping: { manager.tell(.stopping) })
    }
}
