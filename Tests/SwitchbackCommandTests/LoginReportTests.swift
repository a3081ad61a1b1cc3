import StrictJSON
import Testing

@testable import SwitchbackCommand

/// What `switchback login` prints, and how it writes times.
@Suite struct LoginReportTests {
    private static func step(_ event: String, after milliseconds: Int, _ details: JSON.Object = [:]) -> JSON {
        var step: JSON.Object = [
            "at": "2026-11-27T12:59:50.691Z", "after_ms": .integer(milliseconds), "stage": .string(event),
            "event": .string(event), "text": "It happened.",
        ]
        for (name, value) in details { step[name] = value }
        return .object(step)
    }

    /// What stands above the steps does not stand in them again, unless it differs.
    @Test func `the steps do not repeat the heading`() {
        let login: JSON = .object([
            "reference": "C64Z-VXP4", "status": "failed", "app": "demo", "provider": "play", "platform": "ios",
            "login": "abc",
            "steps": .array([
                Self.step("created", after: 0, ["app": "demo", "provider": "play", "platform": "ios"]),
                Self.step("replaced", after: 1250, ["provider": "other"]),
            ]),
        ])
        let lines = LoginReport(login).text.split(separator: "\n")
        #expect(lines[1] == "app demo, provider play, platform ios, login abc")
        #expect(lines[3] == "2026-11-27 12:59:50.691    0.0 s  created       It happened.")
        #expect(lines[4] == "2026-11-27 12:59:50.691    1.3 s  replaced      It happened. provider=other")
    }

    static let durations: [(duration: Duration, seconds: String, milliseconds: String)] = [
        (.zero, "0.0 s", "0 ms"), (.microseconds(49_999), "0.0 s", "49 ms"), (.milliseconds(50), "0.1 s", "50 ms"),
        (.milliseconds(2412), "2.4 s", "2412 ms"), (.milliseconds(59_950), "60.0 s", "59950 ms"),
        (.seconds(600), "600.0 s", "600000 ms"),
    ]

    @Test(arguments: durations) func `a duration has one form`(
        _ row: (duration: Duration, seconds: String, milliseconds: String)
    ) {
        #expect(row.duration.shownInSeconds == row.seconds)
        #expect(row.duration.shownInMilliseconds == row.milliseconds)
    }
}
