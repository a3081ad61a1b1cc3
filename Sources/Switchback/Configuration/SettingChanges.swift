/// Which settings differ between two configurations, by their paths; never their values.
struct SettingChanges: Equatable, Sendable {
    /// They hold from now on.
    let taken: [String]
    /// They are read at the start only: the server goes on with what it was started with.
    let waiting: [String]

    init(from former: EffectiveSettings, to settings: EffectiveSettings) {
        let paths = (settings.entries + former.entries).map(\.path)
        var seen: Set<SettingPath> = []
        let changed = paths.filter { path in
            seen.insert(path).inserted && settings.entry(path)?.value != former.entry(path)?.value
        }
        let atStart = changed.filter { path in
            (settings.entry(path) ?? former.entry(path))?.setting.isReadAtStart ?? false
        }
        self.taken = changed.filter { !atStart.contains($0) }.map(\.description)
        self.waiting = atStart.map(\.description)
    }
}
