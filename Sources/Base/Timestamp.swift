#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A point in time: milliseconds since 1970-01-01 UTC.
///
/// Nothing traps: values beyond the range are clamped to its ends. So any number from outside can become a timestamp.
package struct Timestamp: Hashable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package init(seconds: Int) {
        let (product, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1000)
        self.milliseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Whole seconds, rounded towards the past: a NumericDate (RFC 7519 §2).
    package var seconds: Int {
        let (quotient, remainder) = self.milliseconds.quotientAndRemainder(dividingBy: 1000)
        return Int(remainder < 0 ? quotient - 1 : quotient)
    }
}

extension Timestamp: Comparable {
    package static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }
}

// MARK: - Arithmetic

extension Timestamp {
    package static func + (moment: Self, duration: Duration) -> Self {
        let change = duration.wholeMilliseconds
        let (sum, overflow) = moment.milliseconds.addingReportingOverflow(change)
        return Self(milliseconds: overflow ? (change < 0 ? .min : .max) : sum)
    }

    package static func - (moment: Self, duration: Duration) -> Self {
        let change = duration.wholeMilliseconds
        let (difference, overflow) = moment.milliseconds.subtractingReportingOverflow(change)
        return Self(milliseconds: overflow ? (change < 0 ? .max : .min) : difference)
    }

    /// Returns the time from `b` to `a`; negative when `a` is earlier.
    package static func - (a: Self, b: Self) -> Duration { .milliseconds(a.milliseconds(since: b)) }

    /// Returns the same as a number, for callers that run too often for the wide arithmetic of a `Duration`.
    package func milliseconds(since other: Self) -> Int64 {
        let (difference, overflow) = self.milliseconds.subtractingReportingOverflow(other.milliseconds)
        return overflow ? (self < other ? .min : .max) : difference
    }
}

extension Duration {
    /// Truncated to milliseconds and clamped to `Int64`.
    fileprivate var wholeMilliseconds: Int64 {
        let milliseconds = self.attoseconds / 1_000_000_000_000_000
        return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }
}

/// Reads the system's clock.
package enum WallClock {
    @Sendable package static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
