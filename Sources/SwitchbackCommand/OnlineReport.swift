/// What `switchback check --online` prints: a line for each finding, and a last one that counts them.
import Switchback

enum OnlineReport {
    /// False when there was an error.
    static func print(_ configuration: Configuration) async throws -> Bool {
        var counts: [Finding.Level: Int] = [:]
        Output.result("\n")
        try await OnlineCheck(configuration).run { findings in
            for finding in findings { counts[finding.level, default: 0] += 1 }
            Output.result(findings.map { "\($0)\n" }.joined())
        }
        let words = [(Finding.Level.error, "error"), (.warning, "warning")].map { level, word in
            let count = counts[level, default: 0]
            return count == 1 ? "1 \(word)" : "\(count) \(word)s"
        }
        Output.result("\(words.joined(separator: ", "))\n")
        return counts[.error] == nil
    }
}
