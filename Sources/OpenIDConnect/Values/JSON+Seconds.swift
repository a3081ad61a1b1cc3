// Seconds in JSON: a number, or a text of digits, as some providers write `expires_in` and the like.

import StrictJSON

extension JSON {
    /// Drops fractions. Nil for anything else, for a time before 1970, and for 1e12 seconds or more.
    package var wholeSeconds: Int? {
        guard let number = self.number ?? self.string.flatMap(Self.number), number >= 0, number < 1e12 else {
            return nil
        }
        return Int(exactly: number.rounded(.down))
    }

    private static func number(_ text: String) -> Double? {
        guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Double(text)
    }
}
