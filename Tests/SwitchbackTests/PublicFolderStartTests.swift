import ConfigurationSamples
import Logging
import Preflight
import ServerConfiguration
import Switchback
import TestSupport
import Testing

/// A server without a file of its public folder does not start, and gives the same reason as `check`.
@Suite struct PublicFolderStartTests {
    @Test func `check and start say the same`() throws {
        let configuration = try Configuration(
            SampleConfiguration.source(adding: "    logo: mitid.svg\n")
                .adding("store: memory", "store: memory\npublic_dir: \(SourceFile.path("Public"))"))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let error = #expect(throws: (any Error).self) {
            _ = try SwitchbackServer(configuration: configuration, logger: logger)
        }
        #expect(PublicFolderCheck.errors(configuration).map(\.description) == [error.map { "\($0)" } ?? ""])
    }
}
