/// Moments as the API writes them: RFC 3339, UTC, whole seconds, `2026-03-01T12:00:00Z`.
///
/// Without a fraction, because the date parsers of phones refuse one unless they are told of it.

extension Timestamp {
    /// Rounded towards the past.
    package var wholeSecondRFC3339: String {
        // The grammar has four digits for the year (RFC 3339 §5.6), so what lies beyond stands still at the ends.
        let seconds = min(max(self.seconds, -62_167_219_200), 253_402_300_799)
        return Timestamp(seconds: seconds).text(withFraction: false)
    }
}
