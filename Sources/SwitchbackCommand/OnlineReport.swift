/// What `switchback check --online` prints: a line for each finding.
import Switchback

enum OnlineReport {
    static func print(_ configuration: Configuration) async throws -> Verdict {
        var verdict = Verdict()
        try await OnlineCheck(configuration).run { findings in
            verdict += Verdict(
                errors: findings.count { $0.level == .error }, warnings: findings.count { $0.level == .warning })
            Output.result(findings.map { "\($0)\n" }.joined())
        }
        return verdict
    }
}
