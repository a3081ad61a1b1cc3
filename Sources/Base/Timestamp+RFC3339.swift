// Writes and reads times as RFC 3339 in UTC, with `Z`.

extension Timestamp {
    package var rfc3339: String { self.text(withFraction: true) }

    func text(withFraction: Bool) -> String {
        let date = CivilDate(day: self.milliseconds.floored(by: 86_400_000))
        let inDay = (self.milliseconds % 86_400_000 + 86_400_000) % 86_400_000
        // Written digit by digit, because every response that shows a login has one. No year has more than nine digits.
        return String(unsafeUninitializedCapacity: 40) { room in
            var text = Text(room: room)
            text.append(date.year, 4, "-")
            text.append(date.month, 2, "-")
            text.append(date.day, 2, "T")
            text.append(inDay / 3_600_000, 2, ":")
            text.append(inDay / 60_000 % 60, 2, ":")
            text.append(inDay / 1000 % 60, 2, withFraction ? "." : "Z")
            if withFraction { text.append(inDay % 1000, 3, "Z") }
            return text.count
        }
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

    /// Creates the time of a text in the form that `wholeSecondRFC3339` writes. Returns nil for any other text.
    package init?(wholeSecondRFC3339 text: String) {
        guard let match = text.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z/) else { return nil }
        let fields = [match.1, match.2, match.3, match.4, match.5, match.6].compactMap { Int64($0) }
        guard fields.count == 6 else { return nil }
        let day = CivilDate.day(ofYear: fields[0], month: fields[1], day: fields[2])
        self.init(seconds: Int(day * 86_400 + fields[3] * 3600 + fields[4] * 60 + fields[5]))
        // This refuses dates such as 31 February.
        guard self.wholeSecondRFC3339 == text else { return nil }
    }
}
