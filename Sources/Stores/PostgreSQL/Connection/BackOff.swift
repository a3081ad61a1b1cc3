/// How long to wait before the next try: longer each time, and never all processes at the same moment.
struct BackOff {
    private static let first = Duration.milliseconds(100)
    private static let most = Duration.seconds(5)

    private var pause = Self.first

    /// Between half of it and all of it; `random` is from 0 to 1.
    mutating func next(random: Double = .random(in: 0...1)) -> Duration {
        defer { self.pause = min(self.pause * 2, Self.most) }
        return self.pause * (0.5 + random / 2)
    }

    mutating func reset() { self.pause = Self.first }
}
