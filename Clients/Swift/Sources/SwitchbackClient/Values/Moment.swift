/// A point in time on this device's own clock, which only goes forward: the clocks on the walls of phones are wrong.
import Foundation

/// Only the difference of two means something, and only until the device starts anew; so none is ever stored.
public struct Moment: Comparable, Hashable, Sendable {
    /// Seconds since some point.
    public var seconds: Double

    /// So many seconds after some point.
    public init(seconds: Double) { self.seconds = seconds }

    /// Whether one comes before the other.
    public static func < (one: Moment, other: Moment) -> Bool { one.seconds < other.seconds }

    static func + (moment: Moment, seconds: Double) -> Moment { Moment(seconds: moment.seconds + seconds) }

    /// The seconds from then to now, or 0 when it is still ahead.
    func secondsSince(_ then: Moment) -> Double { max(0, self.seconds - then.seconds) }
}

extension Moment {
    /// Now, on a clock that also goes on while the device sleeps.
    public static func now() -> Moment {
        var time = timespec()
        #if canImport(Darwin)
        clock_gettime(CLOCK_MONOTONIC, &time)
        #else
        clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return Moment(seconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000)
    }
}
