#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The value of the Date field (RFC 9110 §5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`. It is formatted at most once
/// a second.
struct HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private var second = -1
    private var text = ""

    /// Returns the text for a response that is sent now.
    mutating func now() -> String {
        let second = Int(time(nil))
        guard second != self.second else { return self.text }
        self.second = second
        self.text = Self.text(ofSecond: second)
        return self.text
    }

    /// Returns the text for a number of seconds since 1970. A negative number counts as 0.
    static func text(ofSecond second: Int) -> String {
        let second = max(second, 0)
        let (days, rest) = second.quotientAndRemainder(dividingBy: 86_400)
        let date = Self.date(ofDay: days)
        let time = [rest / 3600, rest / 60 % 60, rest % 60].map(Self.two).joined(separator: ":")
        return "\(Self.days[days % 7]), \(Self.two(date.day)) \(Self.months[date.month - 1]) \(date.year) \(time) GMT"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Returns the civil date of a day counted from 1970-01-01. Years begin in March here, so that the leap day comes
    /// last.
    private static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}
