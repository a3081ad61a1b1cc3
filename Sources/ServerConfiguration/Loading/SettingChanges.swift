import Base
import Stores

/// The paths of the settings that differ between two configurations; never their values.
package struct SettingChanges: Equatable, Sendable {
    /// These are in effect now.
    package let applied: [String]
    /// These are read only at the start: the server keeps the old values until it restarts.
    package let needingRestart: [String]

    package init(from former: EffectiveSettings, to settings: EffectiveSettings) {
        let paths = (settings.entries + former.entries).map(\.path)
        var seenPaths: Set<SettingPath> = []
        let changedPaths = paths.filter { path in
            seenPaths.insert(path).inserted && settings.entry(path)?.value != former.entry(path)?.value
        }
        let atStart = changedPaths.filter { path in
            let isReadAtStart = (settings.entry(path) ?? former.entry(path))?.setting.isReadAtStart ?? false
            return isReadAtStart && !Self.isPasswordOnly(former.entry(path), settings.entry(path))
        }
        self.applied = changedPaths.filter { !atStart.contains($0) }.map(\.description)
        self.needingRestart = atStart.map(\.description)
    }

    /// The server reads a database's URL at the start, but the password in it for each connection.
    private static func isPasswordOnly(_ former: EffectiveSettings.Entry?, _ entry: EffectiveSettings.Entry?) -> Bool {
        guard let former, let entry, entry.setting.isConnectionString, case .text(let old) = former.value,
            case .text(let new) = entry.value, let before = try? PostgresAddress(Secret(old)),
            let after = try? PostgresAddress(Secret(new))
        else { return false }
        return before.leadsWhere(after)
    }
}
