import Base
import Testing

/// Timestamps and durations at the ends of their range.
@Suite struct TimestampTests {
    @Test(
        arguments: [
            (0, 0), (1500, 1), (1999, 1), (-1, -1), (-1000, -1), (-1001, -2), (Int64.max, 9_223_372_036_854_775),
            (Int64.min, -9_223_372_036_854_776),
        ] as [(Int64, Int)])
    func `seconds are rounded towards the past`(_ milliseconds: Int64, _ seconds: Int) {
        #expect(Timestamp(milliseconds: milliseconds).seconds == seconds)
    }

    @Test func `no time overflows at the ends of its range`() {
        let end = Timestamp(milliseconds: .max)
        let start = Timestamp(milliseconds: .min)
        #expect(Timestamp(seconds: .max) == end)
        #expect(Timestamp(seconds: .min) == start)
        #expect(end + .milliseconds(1) == end)
        #expect(start - .milliseconds(1) == start)
        #expect(start + .milliseconds(-1) == start)
        #expect(end - .milliseconds(-1) == end)
        #expect(end + .seconds(Int64.max) == end)
        #expect(end - start == .milliseconds(Int64.max))
        #expect(start - end == .milliseconds(Int64.min))
    }

    @Test func `durations are added and subtracted`() {
        let moment = Timestamp(seconds: 100)
        #expect(moment + .milliseconds(1) == Timestamp(milliseconds: 100_001))
        #expect(moment + .seconds(-1) == Timestamp(seconds: 99))
        #expect(moment - .microseconds(1500) == Timestamp(milliseconds: 99_999))
        #expect(Timestamp(seconds: 103) - moment == .seconds(3))
        #expect(moment < Timestamp(milliseconds: 100_001))
    }
}
