import StrictJSON
import TestSupport
import Testing

@testable import Logins
@testable import Telemetry

/// The client that started a login is in its line of the log and in one metric, and nobody can make many labels.
@Suite struct ClientCounterTests {
    static let kotlin = "switchback-kotlin/1.2.0 (android 15; com.example.shop 4.2)"

    typealias Row = (values: [String], client: String, labels: String)

    @Test(
        arguments: [
            ([kotlin], kotlin, "library=\"kotlin\",version=\"1.2.0\",app_version=\"4.2\""),
            (["Anne's \"browser\"\n"], "other", "library=\"other\",version=\"other\",app_version=\"other\""),
            ([], "none", "library=\"none\",version=\"none\",app_version=\"none\""),
        ] as [Row]) func `the client of a login is logged and counted`(_ row: Row) async throws
    {
        let (written, metrics) = (Mailbox<[UInt8]>(), ServerMetrics())
        let logger = LogOutput.logger { written.put($0) }
        let lines = RepeatedLines(logger)
        let recorder = LoginRecorder(
            logger: logger, metrics: metrics, lines: lines, limits: LimitRecorder(metrics: metrics, lines: lines))
        for _ in 0..<2 { recorder.observe(LoginEvent(.created(by: UserAgent(row.values)))) }
        for line in await written.take(2) {
            let fields = try JSON(parsing: line)
            #expect(fields["event"]?.string == "login_created")
            #expect(fields["client"]?.string == row.client)
        }
        let counted = Self.counted(metrics)
        #expect(counted == ["{app=\"none\",\(row.labels)} 2"])
    }

    @Test func `made-up clients share one label`() {
        let metrics = ServerMetrics()
        for number in 0..<300 {
            let agent = UserAgent(["switchback-kotlin/1.2.0 (android 15; com.example.shop 4.\(number))"])
            for app in ["one", "two", "three"] { metrics.clientLogins.count(agent, of: app) }
        }
        // One that has a label keeps it, on any system and in any app of that version.
        for system in ["android 14", "ios 26"] {
            metrics.clientLogins.count(
                UserAgent(["switchback-kotlin/1.2.0 (\(system); com.example.other 4.0)"]), of: "one")
        }
        metrics.clientLogins.count(.missing, of: "one")
        let counted = Self.counted(metrics)
        func value(_ app: String, _ appVersion: String, _ library: String = "kotlin") -> String? {
            let version = library == "kotlin" ? "1.2.0" : library
            let labels = "library=\"\(library)\",version=\"\(version)\",app_version=\"\(appVersion)\""
            let start = "{app=\"\(app)\",\(labels)} "
            return counted.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
        }
        #expect(counted.count == 150 + 3 + 1)
        #expect(value("one", "4.0") == "3" && value("one", "4.49") == "1" && value("one", "none", "none") == "1")
        for app in ["one", "two", "three"] {
            #expect(value(app, "4.49") == "1" && value(app, "4.50") == nil)
            #expect(value(app, "other", "other") == "250")
        }
    }

    /// No app takes the labels of the others.
    @Test func `one app has sixty clients by name`() {
        let metrics = ServerMetrics()
        for app in ["one", "two"] {
            for number in 0..<100 {
                let agent = UserAgent(["switchback-swift/0.\(number) (ios 26; com.example.shop 1)"])
                metrics.clientLogins.count(agent, of: app)
            }
        }
        let counted = Self.counted(metrics)
        for app in ["one", "two"] {
            #expect(counted.filter { $0.hasPrefix("{app=\"\(app)\",library=\"swift\"") }.count == 60)
            #expect(counted.contains { $0.hasPrefix("{app=\"\(app)\",library=\"other\"") && $0.hasSuffix(" 40") })
        }
    }

    /// The metric's lines, without its name.
    private static func counted(_ metrics: ServerMetrics) -> [String] {
        let name = "switchback_client_logins_total"
        return ExpositionTests.text(metrics.registry).split(separator: "\n").filter { $0.hasPrefix("\(name){") }
            .map { String($0.dropFirst(name.count)) }
    }
}
