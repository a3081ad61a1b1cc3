/// The pause before the next try: longer each time, and random so that processes do not retry at the same time.
struct ReconnectBackoff {
    private static let first = Duration.milliseconds(100)
    private static let most = Duration.seconds(5)

    private var pause = Self.first

    /// Returns a pause between half of the current value and all of it. `random` is between 0 and 1.
    mutating func next(random: Double = .random(in: 0...1)) -> Duration {
        defer { self.pause = min(self.pause * 2, Self.most) }
        return self.pause * (0.5 + random / 2)
    }

    mutating func reset() { self.pause = Self.first }
}
