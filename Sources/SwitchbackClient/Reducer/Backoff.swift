/// How long to wait before the same is asked again.
enum Backoff {
    /// What the server says; else 1, 2, 4, 8, 16, 30, 30, … seconds. `chance`, from 0 to 1, spreads those who failed together.
    static func delay(after failures: Int, retryAfter: Double?, chance: Double) -> Double {
        if let retryAfter { return retryAfter + chance }
        let longest = min(30, Double(1 << min(max(failures - 1, 0), 10)))
        return longest * (1 + chance) / 2
    }
}
