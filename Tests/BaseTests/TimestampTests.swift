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

    @Test func `days of 800 years are written and read back`() {
        let first = -62_167_219_200
        for day in stride(from: 0, to: 292_194, by: 97) {
            let time = Timestamp(seconds: first + day * 86_400 + day % 86_400)
            #expect(Timestamp(wholeSecondRFC3339: time.wholeSecondRFC3339) == time)
        }
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2000-02-29T23:59:59Z", 951_868_799), ("2026-11-22T14:00:00Z", 1_795_356_000),
            ("1969-12-31T23:59:59Z", -1), ("2023-02-29T00:00:00Z", nil), ("2026-13-01T00:00:00Z", nil),
            ("2026-11-22T24:00:00Z", nil), ("2026-11-22T14:00:00.0Z", nil), ("2026-11-22 14:00:00Z", nil), ("", nil),
        ] as [(String, Int?)]) func `only whole seconds in UTC are read`(_ text: String, _ seconds: Int?)
    {
        #expect(Timestamp(wholeSecondRFC3339: text)?.seconds == seconds)
    }
}
