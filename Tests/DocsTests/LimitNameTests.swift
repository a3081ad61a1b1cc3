import ConfigurationSamples
import Telemetry
import TestSupport
import Testing

/// docs/how-to/limits.md explains every limit by the name that logs and metrics have, with a setting that exists.
@Suite struct LimitNameTests {
    @Test(arguments: ReachedLimit.allCases)
    func `the page has each limit and its setting`(_ limit: ReachedLimit) throws {
        let page = try SourceFile.text("docs/how-to/limits.md")
        let setting = limit.setting.map { "`\($0)`" } ?? "no setting"
        #expect(page.contains("\n| `\(limit.rawValue)` | \(setting)"))
    }

    @Test(arguments: ReachedLimit.allCases.compactMap(\.setting))
    func `the setting of each limit exists`(_ name: String) throws {
        #expect(try SourceFile.text("docs/reference/settings.md").contains("\n### `\(name)`\n"))
    }
}
