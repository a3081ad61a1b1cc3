/// How often something may be done: so many at once, and one more each `interval`.
package struct Rate: Equatable, Sendable {
    /// How many may come at once.
    package let burst: Int
    /// After how long one more is allowed.
    package let interval: Duration

    /// Nil unless both are above zero.
    package init?(burst: Int, interval: Duration) {
        guard burst > 0, interval > .zero else { return nil }
        self.burst = burst
        self.interval = interval
    }

    /// Nil for zero, which is no limit.
    package init?(perMinute count: Int) {
        guard count > 0 else { return nil }
        self.init(burst: count, interval: .seconds(60) / count)
    }

    /// A part of it: as many fewer at once, and less often. At least one.
    func part(_ divisor: Int) -> Rate {
        Rate(burst: max(1, self.burst / divisor), interval: self.interval * divisor) ?? self
    }
}
