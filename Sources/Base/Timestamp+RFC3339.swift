// Writes a time as RFC 3339 in UTC, with milliseconds and `Z`.

extension Timestamp {
    package var rfc3339: String { self.text(withFraction: true) }

    func text(withFraction: Bool) -> String {
        let day = Self.floored(self.milliseconds, by: 86_400_000)
        let inDay = (self.milliseconds % 86_400_000 + 86_400_000) % 86_400_000
        let (year, month, dayOfMonth) = Self.date(ofDay: day)
        // Written digit by digit, because every response that shows a login has one. No year has more than nine digits.
        return String(unsafeUninitializedCapacity: 40) { room in
            var text = Text(room: room)
            text.append(year, 4, "-")
            text.append(month, 2, "-")
            text.append(dayOfMonth, 2, "T")
            text.append(inDay / 3_600_000, 2, ":")
            text.append(inDay / 60_000 % 60, 2, ":")
            text.append(inDay / 1000 % 60, 2, withFraction ? "." : "Z")
            if withFraction { text.append(inDay % 1000, 3, "Z") }
            return text.count
        }
    }

    /// Returns the date in the proleptic Gregorian calendar. It counts in eras of 400 years that begin on the first of
    /// March, so that the leap day is the last day of a year.
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

    /// A text in memory with enough room.
    private struct Text {
        let room: UnsafeMutableBufferPointer<UInt8>
        var count = 0

        /// Appends a number with at least `width` digits, padded with zeros.
        mutating func append(_ number: Int64, _ width: Int, _ separator: Unicode.Scalar) {
            if number < 0 || number > 9999 {
                let digits = String(number)
                for _ in 0..<max(0, width - digits.utf8.count) { self.append(UInt8(ascii: "0")) }
                for digit in digits.utf8 { self.append(digit) }
            } else {
                if width > 3 || number >= 1000 { self.append(digit: number / 1000) }
                if width > 2 || number >= 1000 { self.append(digit: number / 100 % 10) }
                self.append(digit: number / 10 % 10)
                self.append(digit: number % 10)
            }
            self.append(UInt8(ascii: separator))
        }

        private mutating func append(digit: Int64) { self.append(UInt8(ascii: "0") + UInt8(digit)) }

        private mutating func append(_ byte: UInt8) {
            self.room[self.count] = byte
            self.count += 1
        }
    }
}

// Times as the API writes them: RFC 3339, UTC, whole seconds, `2026-03-01T12:00:00Z`.
//
// There is no fraction, because the date parsers of phones refuse one unless they are configured for it.

extension Timestamp {
    /// The time, rounded towards the past.
    package var wholeSecondRFC3339: String {
        // The grammar has four digits for the year (RFC 3339 §5.6), so we clamp the time to these years.
        let seconds = min(max(self.seconds, -62_167_219_200), 253_402_300_799)
        return Timestamp(seconds: seconds).text(withFraction: false)
    }
}
