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
}
