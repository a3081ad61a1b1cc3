/// What `switchback check --online` prints: a line for each finding.
import Switchback

enum OnlineReport {
    static func print(_ configuration: Configuration, probesCredentials: Bool) async throws -> Verdict {
        var verdict = Verdict()
        let check = OnlineCheck(configuration, probesCredentials: probesCredentials)
        Output.result(check.announcements.map { "\($0)\n" }.joined())
        try await check.run { findings in
            verdict += Verdict(
                errors: findings.count { $0.level == .error }, warnings: findings.count { $0.level == .warning })
            Output.result(findings.map { "\($0)\n" }.joined())
        }
        return verdict
    }
}
