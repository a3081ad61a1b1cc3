import Base

/// Merges flags, variables, file and defaults: every setting gets a value or a problem.
struct SettingsResolver {
    let settings: EffectiveSettings
    let problems: [Diagnostic]
    /// False if the file is not YAML. Then we do not report missing settings.
    let isReadable: Bool

    init(_ source: ConfigurationSource) {
        var problems: [Diagnostic] = []
        var root = ConfigurationNode(.null)
        do throws(ConfigurationError) {
            root = try ConfigurationNode(yaml: source.yaml, file: source.name)
            if !root.isMap {
                let origin = SettingOrigin.file(source.name, line: root.line)
                problems.append(Diagnostic(origin, "", "must contain settings, by their names"))
            }
        } catch {
            problems = error.errors
        }
        self.isReadable = problems.isEmpty
        let walk = ConfigurationWalker(root, file: source.name)
        let rows = SettingTable.all.flatMap { setting in setting.pattern.paths(walk.instances).map { ($0, setting) } }
        let variables = VariableOverrides(rows.map(\.0), in: source)
        var entries = Entries(source: source, walk: walk, variables: variables)
        for (path, setting) in rows { entries.add(path, setting) }
        self.settings = EffectiveSettings(
            entries.list, instances: walk.instances, lines: walk.lines, file: source.name)
        self.problems =
            self.isReadable ? walk.problems + variables.problems + entries.problems : problems
    }

    /// Collects the entries, and what is wrong with them.
    private struct Entries {
        let source: ConfigurationSource
        let walk: ConfigurationWalker
        let variables: VariableOverrides
        var list: [EffectiveSettings.Entry] = []
        var problems: [Diagnostic] = []

        mutating func add(_ path: SettingPath, _ setting: SettingRow) {
            guard let (content, origin) = self.given(path, setting.kind) else { return self.addUnset(path, setting) }
            guard let content else { return self.append(path, setting, nil, origin) }
            do throws(ConfigurationError) {
                let value = try setting.kind.value(of: content, secret: setting.isSecret)
                self.append(path, setting, value, origin)
            } catch {
                let advice = Self.advice(on: content, at: path, setting)
                for (index, message) in error.messages.enumerated() {
                    self.problems.append(
                        Diagnostic(origin, path.description, index == 0 ? message + advice : message))
                }
                self.append(path, setting, nil, origin)
            }
        }

        /// Where a text is wanted and there are settings.
        private static func advice(
            on content: ConfigurationNode.Content, at path: SettingPath, _ setting: SettingRow
        ) -> String {
            guard case .map = content, case .text = setting.kind else { return "" }
            return setting.isSecret
                ? "; to read it from a file, set the variable \(path.variable)_FILE to the path"
                : "; write what is JSON as a text, in single quotes"
        }

        /// Flags take precedence over variables, and variables over the file. The content is nil if a variable could
        /// not be read.
        private func given(
            _ path: SettingPath, _ kind: SettingKind
        ) -> (content: ConfigurationNode.Content?, origin: SettingOrigin)? {
            if let flag = self.source.flags.last(where: { $0.path == path }) {
                return (kind.content(flag.value), .flag(flag.name))
            }
            if let override = self.variables.values[path] {
                return (override.text.map { kind.content($0) }, override.origin)
            }
            return self.walk.values[path].map { ($0.content, .file(self.source.name, line: $0.line)) }
        }

        private mutating func addUnset(_ path: SettingPath, _ setting: SettingRow) {
            switch setting.presence {
            case .value(let value): self.append(path, setting, value, .standard)
            case .optional: self.append(path, setting, nil, .standard)
            case .required:
                let line = self.walk.lines[SettingPath(path.segments.dropLast())]
                let origin = SettingOrigin.file(self.source.name, line: line)
                self.problems.append(Diagnostic(origin, path.description, "is required"))
                self.append(path, setting, nil, origin)
            }
        }

        private mutating func append(
            _ path: SettingPath, _ setting: SettingRow, _ value: SettingValue?, _ origin: SettingOrigin
        ) {
            self.list.append(EffectiveSettings.Entry(path: path, setting: setting, value: value, origin: origin))
        }
    }
}

extension SettingKind {
    /// A flag or a variable is only text; commas separate the items of a list.
    fileprivate func content(_ text: String) -> ConfigurationNode.Content {
        guard case .list = self else { return .scalar(text) }
        return .list(text.split(separator: ",").map { ConfigurationNode(.scalar(String($0.trimmingBlanks))) })
    }
}
