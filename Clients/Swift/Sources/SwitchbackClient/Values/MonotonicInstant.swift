import Foundation

/// An instant on this device's own clock, which only goes forward. Wall clocks of phones are often wrong.
///
/// Only the difference of two instants means something, and only until the device restarts. So none is ever stored.
public struct MonotonicInstant: Comparable, Hashable, Sendable {
    /// Seconds since an arbitrary start.
    public var seconds: Double

    /// Creates an instant from the seconds since that start.
    public init(seconds: Double) { self.seconds = seconds }

    /// Returns whether one instant is before the other.
    public static func < (one: MonotonicInstant, other: MonotonicInstant) -> Bool { one.seconds < other.seconds }

    static func + (moment: MonotonicInstant, seconds: Double) -> MonotonicInstant {
        MonotonicInstant(seconds: moment.seconds + seconds)
    }

    /// The seconds since `then`; 0 if `then` is in the future.
    func secondsSince(_ then: MonotonicInstant) -> Double { max(0, self.seconds - then.seconds) }
}

extension MonotonicInstant {
    /// Returns the current instant, on a clock that also runs while the device sleeps.
    public static func now() -> MonotonicInstant {
        var time = timespec()
        #if canImport(Darwin)
        clock_gettime(CLOCK_MONOTONIC, &time)
        #else
        clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return MonotonicInstant(seconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000)
    }
}
