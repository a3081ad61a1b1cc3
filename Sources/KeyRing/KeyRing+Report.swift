// What `switchback keys status` prints of automatic keys.

import Base
import KeyFiles

extension KeyRing {
    /// Each automatic key of a use with its phase, and when the phase ends. Empty if there is none.
    package func report(_ use: KeyUse, at now: Timestamp) -> String {
        let lines = self.published(use, at: now).sorted { $0.activeAt < $1.activeAt }.compactMap { key in
            key.phase(at: now).map { "  \(Self.line(key, $0))" }
        }
        guard !lines.isEmpty else { return "" }
        return (["\(use.setting), automatic:"] + lines).joined(separator: "\n") + "\n"
    }

    private static func line(_ key: Key, _ phase: KeySchedule.Phase) -> String {
        let name = phase.rawValue + String(repeating: " ", count: max(0, 9 - phase.rawValue.count))
        let times =
            switch phase {
            case .published: "active at \(key.activeAt.wholeSecondRFC3339)"
            case .active: "since \(key.activeAt.wholeSecondRFC3339)"
            case .retired: "needed until \(key.endsAt.wholeSecondRFC3339)"
            }
        return "\(name)  \(key.key.keyID)  \(times)"
    }
}
