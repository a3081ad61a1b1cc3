import Base
import Synchronization
import Testing

@testable import SwitchbackCommand

/// What a terminal shows of the server's log while a sandbox runs.
@Suite struct SandboxTimelineTests {
    private static let ended = "2026-11-27T04:11:09.000Z info login_ended login=abc reference=GK7Q-2M4P provider=mitid"
    private static let link = "http://127.0.0.1:8080/sandbox/calls?login=abc"

    static let rows: [(line: String, shown: String?)] = [
        (
            "\(Self.ended) status=completed duration_ms=2412",
            "✓ completed  2.4 s  mitid  GK7Q-2M4P  \(Self.link)"
        ),
        (
            "\(Self.ended) status=failed reason=invalid_token broker_error=\"id_token_nonce\" duration_ms=900",
            "✗ failed: invalid_token, id_token_nonce  0.9 s  mitid  GK7Q-2M4P  \(Self.link)"
        ),
        (
            "\(Self.ended) status=cancelled reason=user_cancelled",
            "✗ cancelled: user_cancelled  mitid  GK7Q-2M4P  \(Self.link)"
        ),
        ("2026-11-27T04:11:09.000Z debug login_created login=abc", nil),
        ("2026-11-27T04:11:09.000Z info listening port=8080", nil),
        ("2026-11-27T04:11:09.000Z warning broker_slow broker=mitid", "warning broker_slow broker=mitid"), ("", nil),
    ]

    @Test(arguments: rows) func `each login that ends is one line`(_ row: (line: String, shown: String?)) throws {
        let plan = try #require(SandboxPlan(listen: nil, publicURL: nil, port: "8080"))
        let output = Mutex("")
        let timeline = SandboxTimeline(plan, palette: Palette(isTerminal: false, [:])) { text in
            output.withLock { $0 += text }
        }
        timeline.show(logged: Array("\(row.line)\n".utf8), at: Timestamp(seconds: 1_795_752_669))
        let shown = output.withLock { $0 }
        guard let wanted = row.shown else { return #expect(shown.isEmpty) }
        #expect(shown.hasSuffix("  switchback  \(wanted)\n"), "\(shown)")
        #expect(shown.prefix(8).wholeMatch(of: /\d\d:\d\d:\d\d/) != nil)
    }
}
