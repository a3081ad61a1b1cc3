/// Every setting of one configuration with its value and where that came from, checked one by one.
package struct EffectiveSettings: Sendable {
    package struct Entry: Sendable {
        package let path: SettingPath
        package let setting: Setting
        /// Nil when it is not set, or when what was set is refused.
        package let value: SettingValue?
        package let origin: SettingOrigin
    }

    /// In the order of the table; the names that the operator chose, in the order of the file.
    package let entries: [Entry]
    /// The names and items that stand under a path.
    let instances: [SettingPath: [SettingPath.Segment]]
    /// How the file is called in messages.
    private let file: String
    /// The lines that names and items stand on.
    private let lines: [SettingPath: Int]
    private let index: [SettingPath: Int]

    init(
        _ entries: [Entry], instances: [SettingPath: [SettingPath.Segment]] = [:], lines: [SettingPath: Int] = [:],
        file: String
    ) {
        self.entries = entries
        self.instances = instances
        self.lines = lines
        self.file = file
        self.index = Dictionary(entries.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package func entry(_ path: SettingPath) -> Entry? {
        self.index[path].map { self.entries[$0] }
    }

    /// True when somebody set it, if only to something that is refused.
    func isGiven(_ path: SettingPath) -> Bool {
        guard let entry = self.entry(path) else { return false }
        return entry.value != nil || entry.origin != .standard
    }

    /// A problem with a setting, at the place where its value came from, or else where it could stand.
    func problem(
        _ path: SettingPath, _ message: String, _ level: Diagnostic.Level = .error
    ) -> Diagnostic {
        let given = self.entry(path)?.origin
        let origin = given == .standard ? nil : given
        let line = self.lines[SettingPath(path.segments.dropLast())]
        return Diagnostic(origin ?? .file(self.file, line: line), path.description, message, level)
    }

    /// The settings without a name: `public_url`, `limits.head`.
    var top: SettingScope { SettingScope(self, SettingPath()) }

    /// One for each name under `apps`, `brokers` or `providers`, or each item of a list.
    func scopes(_ path: String) -> [SettingScope] { self.scopes(SettingPath(path)) }

    func scopes(_ path: SettingPath) -> [SettingScope] {
        (self.instances[path] ?? []).map { SettingScope(self, path.appending($0)) }
    }
}
