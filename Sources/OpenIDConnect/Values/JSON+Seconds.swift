/// Seconds as providers write them in JSON: a number. `expires_in` and its kin some write as a text of digits.
import StrictJSON

extension JSON {
    /// Without parts of a second. Nil for anything else, for what lies before 1970 or beyond any calendar.
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
