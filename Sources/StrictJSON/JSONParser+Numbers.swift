// Numbers of a JSON text (RFC 8259 §6).

extension JSONParser {
    /// Returns an `integer` if the number has no fraction or exponent and fits, a `number` if a `Double` has its exact
    /// value, and otherwise a `decimal`. `-0` is a `number`, because an `Int` cannot express it. Every other whole
    /// number that does not fit is a `decimal`, because many readers take `1e+22` for a fraction.
    mutating func readNumber() throws(JSONError) -> JSON {
        let start = self.position
        let isNegative = self.skip(UInt8(ascii: "-"))
        let first = self.position
        try self.skipDigits()
        // No leading zeros: some readers would see an octal number.
        guard self.bytes[first] != UInt8(ascii: "0") || self.position == first + 1 else { throw .badNumber }
        let hasFraction = try self.skipFraction()
        let hasExponent = try self.skipExponent()
        let isWhole = !hasFraction && !hasExponent
        if isWhole, let value = self.wholeNumber(first..<self.position, isNegative: isNegative) {
            return .integer(value)
        }
        let range = start..<self.position
        let nearest = try self.double(range)
        let isExact = isWhole ? nearest == 0 : self.hasExactly(nearest, range)
        return isExact ? .number(nearest) : .decimal(JSONDecimal(String(decoding: self.bytes[range], as: UTF8.self)))
    }

    /// Whether writing the `Double` again gives the same number.
    private func hasExactly(_ number: Double, _ range: Range<Int>) -> Bool {
        JSONNumberValue(Array(number.description.utf8)[...]) == JSONNumberValue(self.bytes[range])
    }

    private mutating func skipFraction() throws(JSONError) -> Bool {
        guard self.skip(UInt8(ascii: ".")) else { return false }
        try self.skipDigits()
        return true
    }

    private mutating func skipExponent() throws(JSONError) -> Bool {
        guard self.skip(UInt8(ascii: "e")) || self.skip(UInt8(ascii: "E")) else { return false }
        _ = self.skip(UInt8(ascii: "+")) || self.skip(UInt8(ascii: "-"))
        try self.skipDigits()
        return true
    }

    /// Requires at least one digit.
    private mutating func skipDigits() throws(JSONError) {
        let start = self.position
        while self.position < self.bytes.count, self.isDigit(self.bytes[self.position]) { self.position += 1 }
        guard self.position > start else { throw self.position < self.bytes.count ? .badNumber : .endsEarly }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard self.position < self.bytes.count, self.bytes[self.position] == byte else { return false }
        self.position += 1
        return true
    }

    private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    /// A number with this many digits always fits.
    private static let fittingDigitCount = 18

    /// Returns nil if the number does not fit, and for `-0`.
    private func wholeNumber(_ digits: Range<Int>, isNegative: Bool) -> Int? {
        var value = 0
        if digits.count <= Self.fittingDigitCount {
            for index in digits { value = value &* 10 &+ Int(self.bytes[index] &- UInt8(ascii: "0")) }
            guard isNegative else { return value }
            return value == 0 ? nil : -value
        }
        for byte in self.bytes[digits] {
            let digit = Int(byte - UInt8(ascii: "0"))
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowInSum) =
                isNegative
                ? tenfold.subtractingReportingOverflow(digit) : tenfold.addingReportingOverflow(digit)
            guard !overflow, !overflowInSum else { return nil }
            value = sum
        }
        return isNegative && value == 0 ? nil : value
    }

    private func double(_ range: Range<Int>) throws(JSONError) -> Double {
        guard let value = Double(String(decoding: self.bytes[range], as: UTF8.self)) else { throw .badNumber }
        guard value.isFinite else { throw .numberTooLarge }
        return value
    }
}
