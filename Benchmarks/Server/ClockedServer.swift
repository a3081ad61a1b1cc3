import Base
import Dispatch
import Foundation
import Logging
import ServerConfiguration
import Switchback
import Synchronization

/// Switchback with a clock that SIGUSR1 moves by a day and an hour: enough time to end a login and to delete it.
enum ClockedServer {
    private static let ahead = Atomic<Int64>(0)

    static func run(_ file: String) async throws {
        signal(SIGUSR1, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .global())
        source.setEventHandler { @Sendable in self.ahead.add(25 * 3_600_000, ordering: .relaxed) }
        source.resume()
        let yaml = Array(try Data(contentsOf: URL(filePath: file)))
        let configuration = try Configuration(ConfigurationSource(name: file, yaml: yaml))
        let server = try SwitchbackServer(
            configuration: configuration, logger: Logger(label: "switchback") { _ in SwiftLogNoOpLogHandler() },
            now: { WallClock.now() + .milliseconds(self.ahead.load(ordering: .relaxed)) })
        try await server.run()
        source.cancel()
    }
}
