// Durations as plain numbers, for what happens on every request.

extension Duration {
    /// Whole milliseconds, rounded down; held within what can be added to without overflow.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = self.components
        let limit = Int64.max / 4000
        guard seconds.magnitude < limit.magnitude else { return seconds < 0 ? -limit * 1000 : limit * 1000 }
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
