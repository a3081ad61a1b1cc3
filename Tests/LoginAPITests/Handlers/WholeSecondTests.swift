import Base
import Testing

/// Tests RFC 3339 without a fraction, for any time.
@Suite struct WholeSecondTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (999, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
            (951_782_400_000, "2000-02-29T00:00:00Z"), (1_772_366_400_500, "2026-03-01T12:00:00Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00Z"), (253_402_300_799_999, "9999-12-31T23:59:59Z"),
            (.max, "9999-12-31T23:59:59Z"), (.min, "0000-01-01T00:00:00Z"),
        ] as [(Int64, String)]) func `a time is written in whole seconds`(_ milliseconds: Int64, _ text: String)
    {
        #expect(Timestamp(milliseconds: milliseconds).wholeSecondRFC3339 == text)
    }
}
