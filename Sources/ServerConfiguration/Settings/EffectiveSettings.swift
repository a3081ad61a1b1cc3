/// Every setting of a configuration with its value and its origin, each checked on its own.
package struct EffectiveSettings: Sendable {
    package struct Entry: Sendable {
        package let path: SettingPath
        package let setting: SettingRow
        /// Nil if it is not set, or if its value was refused.
        package let value: SettingValue?
        package let origin: SettingOrigin
    }

    /// In the order of the table; names that the operator chose are in the order of the file.
    package let entries: [Entry]
    /// The names and items under each path.
    let instances: [SettingPath: [SettingPath.Segment]]
    /// The parts whose content was refused as a whole. Nothing is missing there.
    let refusedParts: Set<SettingPath>
    /// The file's name in messages.
    let file: String
    /// The lines of names and items.
    private let lines: [SettingPath: Int]
    private let index: [SettingPath: Int]

    init(
        _ entries: [Entry], instances: [SettingPath: [SettingPath.Segment]] = [:],
        refusedParts: Set<SettingPath> = [], lines: [SettingPath: Int] = [:], file: String
    ) {
        self.entries = entries
        self.instances = instances
        self.refusedParts = refusedParts
        self.lines = lines
        self.file = file
        self.index = Dictionary(entries.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package func entry(_ path: SettingPath) -> Entry? {
        self.index[path].map { self.entries[$0] }
    }

    /// Returns true if the setting was set, even to a value that was refused.
    func isGiven(_ path: SettingPath) -> Bool {
        guard let entry = self.entry(path) else { return false }
        return entry.value != nil || entry.origin != .standard
    }

    /// Returns true if somebody wrote the setting down, and it is not the default.
    func isWritten(_ path: SettingPath) -> Bool { self.entry(path).map { $0.origin != .standard } ?? false }

    /// Makes a problem with a setting, at the origin of its value, or where it could be set.
    func problem(
        _ path: SettingPath, _ message: String, _ level: Diagnostic.Level = .error
    ) -> Diagnostic {
        let entryOrigin = self.entry(path)?.origin
        let origin = entryOrigin == .standard ? nil : entryOrigin
        let line = self.lines[path] ?? self.lines[SettingPath(path.segments.dropLast())]
        let name = origin.map { $0.settingName(path) } ?? path.description
        return Diagnostic(origin ?? .file(self.file, line: line), name, message, level)
    }

    /// Returns a problem that was found elsewhere, with the place where its setting stands in the file.
    package func placed(_ problem: Diagnostic) -> Diagnostic {
        guard problem.origin == nil, !problem.path.isEmpty else { return problem }
        if let entry = self.entries.first(where: { $0.path.description == problem.path }), entry.origin != .standard {
            return Diagnostic(entry.origin, entry.origin.settingName(entry.path), problem.message, problem.level)
        }
        let line = self.lines.first { $0.key.description == problem.path }?.value
        return line.map { Diagnostic(.file(self.file, line: $0), problem.path, problem.message, problem.level) }
            ?? problem
    }

    /// The settings without a name: `public_url`, `limits.head`.
    var top: SettingScope { SettingScope(self, SettingPath()) }

    /// Returns one for each name under `apps`, `brokers` or `providers`, or for each item of a list.
    func scopes(_ path: String) -> [SettingScope] { self.scopes(SettingPath(path)) }

    func scopes(_ path: SettingPath) -> [SettingScope] {
        (self.instances[path] ?? []).map { SettingScope(self, path.appending($0)) }
    }
}
