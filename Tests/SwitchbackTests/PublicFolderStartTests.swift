/// A server without a file of the folder of the pages does not start, and says why as `check` does.
import ConfigurationSamples
import Logging
import Preflight
import ServerConfiguration
import Switchback
import Testing

@Suite struct PublicFolderStartTests {
    @Test func checkAndStartSayTheSame() throws {
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
