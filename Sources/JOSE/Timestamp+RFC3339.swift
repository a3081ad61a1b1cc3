/// Writes a time as RFC 3339 in UTC, with milliseconds and `Z`.

extension Timestamp {
    package var rfc3339: String {
        let day = Self.floored(self.milliseconds, by: 86_400_000)
        let inDay = (self.milliseconds % 86_400_000 + 86_400_000) % 86_400_000
        let (year, month, dayOfMonth) = Self.date(ofDay: day)
        let date = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(dayOfMonth, 2))"
        let hours = Self.padded(inDay / 3_600_000, 2)
        let minutes = Self.padded(inDay / 60_000 % 60, 2)
        let seconds = Self.padded(inDay / 1000 % 60, 2)
        return "\(date)T\(hours):\(minutes):\(seconds).\(Self.padded(inDay % 1000, 3))Z"
    }

    /// The proleptic Gregorian calendar, counted in eras of 400 years that begin on the first of March, so that the leap
    /// day is the last of a year.
    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = Self.floored(shifted, by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func floored(_ number: Int64, by divisor: Int64) -> Int64 {
        number >= 0 ? number / divisor : (number + 1) / divisor - 1
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
