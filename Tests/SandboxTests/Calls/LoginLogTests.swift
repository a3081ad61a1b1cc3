import Base
import Sandbox
import Testing

/// The log of logins: whose lines it keeps, and that it stays small.
@Suite struct LoginLogTests {
    static let lines: [(line: String, login: String?)] = [
        ("2026-11-24T04:00:00Z info login_ended login=K7QX reference=K7QX-2M4P app=demo\n", "K7QX"),
        ("2026-11-24T04:00:00Z debug request request_id=1 route=poll\n", nil),
        ("2026-11-24T04:00:00Z info login_ended app=demo login=K7QX\n", "K7QX"), ("", nil), ("login=", nil),
    ]

    @Test(arguments: lines) func `a line is kept for its own login`(_ row: (line: String, login: String?)) {
        let log = LoginLog(now: { Timestamp(seconds: 0) })
        log.take(Array(row.line.utf8))
        let wanted = row.login.map { _ in [row.line.filter { $0 != "\n" }] } ?? []
        #expect(log.lines(of: "K7QX") == wanted)
        #expect(log.lines(of: "K7QY").isEmpty)
    }

    @Test func `a login keeps at most 200 lines`() {
        let log = LoginLog(now: { Timestamp(seconds: 0) })
        for _ in 0..<1000 { log.take(Array("info login_opened login=K7QX".utf8)) }
        #expect(log.lines(of: "K7QX").count == 200)
    }
}
