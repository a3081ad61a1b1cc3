/// Writes a time as RFC 3339 in UTC, with milliseconds and `Z`.

extension Timestamp {
    package var rfc3339: String {
        let day = Self.floored(self.milliseconds, by: 86_400_000)
        let inDay = (self.milliseconds % 86_400_000 + 86_400_000) % 86_400_000
        let (year, month, dayOfMonth) = Self.date(ofDay: day)
        // Written digit by digit: it is in every answer that shows a login.
        var text: [UInt8] = []
        text.reserveCapacity(24)
        Self.append(year, 4, to: &text, "-")
        Self.append(month, 2, to: &text, "-")
        Self.append(dayOfMonth, 2, to: &text, "T")
        Self.append(inDay / 3_600_000, 2, to: &text, ":")
        Self.append(inDay / 60_000 % 60, 2, to: &text, ":")
        Self.append(inDay / 1000 % 60, 2, to: &text, ".")
        Self.append(inDay % 1000, 3, to: &text, "Z")
        return String(decoding: text, as: UTF8.self)
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

    private static func append(_ number: Int64, _ width: Int, to text: inout [UInt8], _ separator: Unicode.Scalar) {
        if number < 0 || number > 9999 {
            let digits = String(number)
            text += String(repeating: "0", count: max(0, width - digits.utf8.count)).utf8
            text += digits.utf8
        } else {
            let divisors: [Int64] = [1000, 100, 10, 1]
            for divisor in divisors.dropFirst(number >= 1000 ? 0 : 4 - width) {
                text.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            }
        }
        text.append(UInt8(ascii: separator))
    }
}
