import StrictJSON
import TestSupport
import Testing

@testable import Logins
@testable import Telemetry

/// A login that the app has left for another is in one line of the log and in one metric.
@Suite struct ReplacedLoginCountTests {
    @Test func `a replaced login is logged and counted`() async throws {
        let (written, metrics) = (Mailbox<[UInt8]>(), ServerMetrics())
        let logger = LogOutput.logger { written.put($0) }
        let lines = RepeatedLines(logger)
        let recorder = LoginRecorder(
            logger: logger, metrics: metrics, lines: lines, limits: LimitRecorder(metrics: metrics, lines: lines))
        let (former, new) = (PollSecret.make().loginID, PollSecret.make().loginID)
        recorder.observe(LoginEvent(.replaced(by: new), id: former))
        for line in await written.take(1) {
            let fields = try JSON(parsing: line)
            #expect(fields["event"]?.string == "login_replaced")
            #expect(fields["level"]?.string == "info")
            #expect(fields["login"]?.string == former.description)
            #expect(fields["reference"]?.string == former.reference)
            #expect(fields["new_login"]?.string == new.description)
            #expect(fields["new_reference"]?.string == new.reference)
        }
        let name = "switchback_logins_replaced_total"
        #expect(ExpositionTests.text(metrics.registry).contains("\n\(name){app=\"none\",provider=\"none\"} 1\n"))
        // It is no step on the way to the login's end.
        #expect(!ExpositionTests.text(metrics.registry).contains("step=\"replaced\""))
    }
}
