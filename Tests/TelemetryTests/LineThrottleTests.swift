/// An event that any client can cause at will writes one line a minute.
import Testing

@testable import Telemetry

@Suite struct LineThrottleTests {
    @Test func oneLineAMinuteThatCountsTheOthers() {
        let throttle = LineThrottle()
        let start = ContinuousClock.now
        #expect(throttle.lines(for: "forged", at: start) == 1)
        for second in 1...59 { #expect(throttle.lines(for: "forged", at: start + .seconds(second)) == nil) }
        #expect(throttle.lines(for: "late", at: start + .seconds(30)) == 1)
        #expect(throttle.lines(for: "forged", at: start + .seconds(60)) == 60)
        #expect(throttle.lines(for: "forged", at: start + .seconds(61)) == nil)
        #expect(throttle.lines(for: "forged", at: start + .seconds(500)) == 2)
    }

    /// A login has a line of its own, so that it is not lost among those of strangers.
    @Test func oneLineForEachLogin() {
        let throttle = LineThrottle(capacity: 3)
        let start = ContinuousClock.now
        #expect(throttle.lines(for: "late", at: start) == 1)
        for login in ["a", "b", "c"] {
            #expect(throttle.lines(for: "late", of: login, at: start) == 1)
            for _ in 0..<200 { #expect(throttle.lines(for: "late", of: login, at: start) == nil) }
        }
        #expect(throttle.lines(for: "late", of: "d", at: start) == nil, "too many logins share the line of their kind")
        #expect(throttle.lines(for: "late", at: start + .seconds(60)) == 2)
        #expect(throttle.lines(for: "late", of: "d", at: start + .seconds(60)) == 1, "there is room again")
    }
}
