import Base
import Logging
import Logins
import StrictJSON
import Synchronization
import Testing
import Traces

@testable import Telemetry

/// The lines of one piece of work name its request and its login, also those that are written later.
@Suite struct WorkMetadataTests {
    private final class Written: Sendable {
        private let lines = Mutex<[JSON]>([])

        func add(_ line: [UInt8]) { self.lines.withLock { $0 += (try? JSON(parsing: line)).map { [$0] } ?? [] } }

        var all: [JSON] { self.lines.withLock { $0 } }
    }

    private let written = Written()
    private let work = WorkContext(RequestNumber(), nil)

    private var logger: Logger { LogOutput.logger { [written] in written.add($0) } }

    @Test func `a line has what is known of its work`() throws {
        let login = PollSecret.make().loginID
        self.work.note(login: try #require(login.trace)) { [:] }
        self.work.note(brokerRequest: "b-1")
        WorkContext.$current.withValue(self.work) { self.logger.warning("login_store_failed") }
        let line = try #require(self.written.all.first)
        #expect(line["request_id"]?.string == self.work.requestID)
        #expect(line["login"]?.string == "\(login)")
        #expect(line["reference"]?.string == login.reference)
        #expect(line["broker_request_id"]?.string == "b-1")
        #expect(line["trace_id"] == nil)
    }

    @Test func `a line of no work has none of it`() {
        self.logger.warning("stopping")
        #expect(self.written.all.allSatisfy { $0["request_id"] == nil && $0["login"] == nil })
    }

    @Test func `what the event says itself counts`() {
        WorkContext.$current.withValue(self.work) { self.logger.warning("a", metadata: ["request_id": "own"]) }
        #expect(self.written.all.map { $0["request_id"]?.string } == ["own"])
    }

    @Test func `a combined line names the last request although it is written later`() {
        let lines = RepeatedLines(self.logger)
        for work in [WorkContext(RequestNumber(), nil), self.work] {
            WorkContext.$current.withValue(work) {
                _ = lines.log(level: .warning, "request", metadata: ["status": .stringConvertible(503)], kind: "r")
            }
        }
        lines.flushAll()
        #expect(self.written.all.last?["request_id"]?.string == self.work.requestID)
        #expect(self.written.all.last?["status"]?.integer == 503)
    }
}
