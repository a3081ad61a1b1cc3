import Base

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
        let date = CivilDate(day: Int64(days))
        let day = "\(Self.two(Int(date.day))) \(Self.months[Int(date.month) - 1]) \(date.year)"
        let time = [rest / 3600, rest / 60 % 60, rest % 60].map(Self.two).joined(separator: ":")
        return "\(Self.days[days % 7]), \(day) \(time) GMT"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
