import EndToEndSupport
import Foundation

/// Prints the progress of a soak every few seconds, and its figures at the end.
struct SoakProgress: Sendable {
    let title: String
    private let start = ContinuousClock.now

    init(_ title: String) { self.title = title }

    /// Prints what `line` returns, every five seconds, until `work` is done.
    func during<Result: Sendable>(
        _ line: @escaping @Sendable () -> String, _ work: @Sendable () async throws -> Result
    ) async rethrows -> Result {
        let speaker = Task {
            while (try? await Task.sleep(for: .seconds(5))) != nil { self.say(line()) }
        }
        defer { speaker.cancel() }
        return try await work()
    }

    func say(_ line: String) {
        let seconds = (ContinuousClock.now - self.start).components.seconds
        // One write, because the tests' own lines go to the same output.
        FileHandle.standardOutput.write(Data("\(self.title), \(seconds) s: \(line)\n".utf8))
    }
}

extension SoakLoad.Tally {
    var line: String {
        "\(self.started) logins, \(self.completed) completed, \(self.failures), \(self.started - self.ended) under way"
            + (self.complaints.isEmpty ? "" : ", \(self.complaints.count) COMPLAINTS")
    }

    var failures: String {
        let reasons = self.failed.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return reasons.isEmpty ? "0 failed" : "failed: \(reasons.joined(separator: ", "))"
    }
}

extension [Duration] {
    /// Returns the value that `percent` percent of these do not exceed, in milliseconds, rounded to a tenth.
    func percentile(_ percent: Int) -> Double {
        let sorted = self.sorted()
        guard !sorted.isEmpty else { return 0 }
        let index = Swift.min(sorted.count - 1, sorted.count * percent / 100)
        return (sorted[index] / .milliseconds(0.1)).rounded() / 10
    }
}
