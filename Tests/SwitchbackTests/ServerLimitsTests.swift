import ConfigurationSamples
import HTTPServer
import LoginAPI
import ServerConfiguration
import Testing

@testable import Preflight
@testable import Switchback

/// The settings under `limits` reach the server for apps and browsers.
@Suite struct ServerLimitsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let setting: String
        let value: Int
        let usual: Int
        let read: @Sendable (ServerLimits) -> Int?

        var testDescription: String { self.setting }
    }

    private static func seconds(_ time: Duration) -> Int { Int(time.components.seconds) }

    @Test(arguments: [
        Row(setting: "head", value: 2000, usual: 16_384) { $0.request.head },
        Row(setting: "body", value: 3000, usual: 65_536) { $0.request.body },
        Row(setting: "head_time", value: 7, usual: 10) { seconds($0.headTime) },
        Row(setting: "body_time", value: 8, usual: 20) { seconds($0.bodyTime) },
        Row(setting: "idle_time", value: 9, usual: 75) { seconds($0.idleTime) },
        Row(setting: "write_time", value: 11, usual: 20) { seconds($0.writeTime) },
        Row(setting: "handshakes", value: 12, usual: 512) { $0.handshakes },
        Row(setting: "connections", value: 13, usual: 15_000) { $0.connections },
        Row(setting: "connections_per_address", value: 14, usual: 4000) { $0.connectionsPerAddress },
    ]) func `the settings reach the server`(_ row: Row) throws {
        for (lines, expected) in [("", row.usual), ("limits: {\(row.setting): \(row.value)}\n", row.value)] {
            let configuration = try Configuration(
                SampleConfiguration.source("store: memory\n", "store: memory\n\(lines)"))
            let budget = DescriptorBudget(configuration, limit: 1_000_000)
            #expect(row.read(ServerLimits(configuration, budget)) == expected)
        }
    }

    /// The table cannot take these from the API, which is beside it, so both have them.
    @Test func `the usual rates are the defaults of the settings`() throws {
        #expect(RequestLimits.Rates(try Configuration(SampleConfiguration.source())) == RequestLimits.Rates())
    }
}
