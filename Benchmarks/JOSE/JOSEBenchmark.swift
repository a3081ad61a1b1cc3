import BenchmarkSupport

/// Compares signed authorization requests and ID tokens with OpenSSL's bare signatures, in the same run.
@main enum JOSEBenchmark {
    private static let roundCount = Extent.of(7, short: 1)

    static func main() async throws {
        let started = CPUTime.wallSeconds
        try print(Machine.description())
        let key = try Keys()
        let rows = [
            try Row.authorizeURL(.rs256, key, aim: 0.95),
            try Row.authorizeURL(.ps256, key, aim: 0.95),
            try Row.authorizeURL(.es256, key, aim: 0.8),
            try await Row.idToken(.rs256, key, aim: 0.8),
            try await Row.idToken(.ps256, key, aim: 0.8),
            try await Row.idToken(.es256, key, aim: 0.8),
        ]
        var rounds: [[Rates]] = []
        for _ in 0..<self.roundCount {
            let speed = try OpenSSLSpeed.measured()
            var round: [Rates] = []
            for row in rows { round.append(try await row.measured(beside: speed)) }
            rounds.append(round)
        }
        for line in Table.lines(rows, rounds) { print(line) }
        print("\nMedians of \(self.roundCount) rounds, in \(Int(CPUTime.wallSeconds - started)) s.")
    }
}
