import BenchmarkSupport

/// Repeats some work, and measures how often it is done per second of CPU time.
struct Work {
    /// The argument is how often the work was done before.
    private let once: (Int) async throws -> Void
    private var count = 0
    private var chunk = 1
    private var countOfRound = 0
    private var secondsOfRound = 0.0

    init(_ once: @escaping (Int) async throws -> Void) { self.once = once }

    private static let secondsPerChunk = Extent.of(0.02, short: 0.002)
    private static let secondsPerRound = Extent.of(0.4, short: 0.01)

    /// Returns two rates, measured alternately in many small chunks, so that whatever slows the machine slows both.
    static func rates(_ one: inout Work, _ other: inout Work) async throws -> (Double, Double) {
        one.beginRound()
        other.beginRound()
        while min(one.secondsOfRound, other.secondsOfRound) < self.secondsPerRound {
            try await one.runChunk()
            try await other.runChunk()
        }
        return (one.rate, other.rate)
    }

    private var rate: Double { Double(self.countOfRound) / self.secondsOfRound }

    private mutating func beginRound() {
        self.countOfRound = 0
        self.secondsOfRound = 0
    }

    private mutating func runChunk() async throws {
        let started = CPUTime.seconds
        for number in self.count..<self.count + self.chunk { try await self.once(number) }
        let seconds = CPUTime.seconds - started
        self.count += self.chunk
        self.countOfRound += self.chunk
        self.secondsOfRound += seconds
        self.chunk = max(1, Int(Double(self.chunk) * min(8, Self.secondsPerChunk / max(seconds, 1e-6))))
    }
}
