import Base

/// Merges flags, variables, file and defaults: every setting gets a value or a problem.
struct SettingsResolver {
    let settings: EffectiveSettings
    let problems: [Diagnostic]
    /// False if the file is not YAML, or no configuration. Then we do not report missing settings.
    let isReadable: Bool
    /// True if neither the file nor a variable sets anything.
    let isEmpty: Bool

    init(_ source: ConfigurationSource) {
        var problems: [Diagnostic] = []
        var root = ConfigurationNode(.null)
        do throws(ConfigurationError) {
            root = try ConfigurationNode(yaml: source.yaml, file: source.name)
            if !root.isMap {
                let origin = SettingOrigin.file(source.name, line: root.line)
                let message = "must contain settings, each as its name, a colon and its value"
                throw ConfigurationError([Diagnostic(origin, "", message)])
            }
        } catch {
            problems = error.errors
        }
        let walk = ConfigurationWalker(root, file: source.name)
        if walk.isForeign { problems += walk.problems }
        let rows = SettingTable.all.flatMap { setting in setting.pattern.paths(walk.instances).map { ($0, setting) } }
        let variables = VariableOverrides(rows.map(\.0), refused: walk.refusedParts, in: source)
        self.isReadable = problems.isEmpty
        self.isEmpty = root.isEmpty && variables.values.isEmpty && variables.problems.isEmpty
        var entries = Entries(source: source, walk: walk, variables: variables)
        for (path, setting) in rows { entries.add(path, setting) }
        self.settings = EffectiveSettings(
            entries.list, instances: walk.instances, refusedParts: walk.refusedParts, lines: walk.lines,
            file: source.name)
        self.problems =
            self.isReadable ? walk.problems + variables.problems + entries.problems : problems
    }

    /// Collects the entries, and what is wrong with them.
    private struct Entries {
        let source: ConfigurationSource
        let walk: ConfigurationWalker
        let variables: VariableOverrides
        let locator: FileLocator
        var list: [EffectiveSettings.Entry] = []
        var problems: [Diagnostic] = []

        init(source: ConfigurationSource, walk: ConfigurationWalker, variables: VariableOverrides) {
            self.source = source
            self.walk = walk
            self.variables = variables
            self.locator = FileLocator(source)
        }

        mutating func add(_ path: SettingPath, _ setting: SettingRow) {
            guard let (content, origin) = self.given(path, setting.kind) else { return self.addUnset(path, setting) }
            guard let content else { return self.append(path, setting, nil, origin) }
            do throws(ConfigurationError) {
                let value = try setting.kind.value(of: content, secret: setting.isSecret)
                self.append(path, setting, self.located(value, path, setting, origin), origin)
            } catch {
                let advice = Self.advice(on: content, at: path, setting)
                for (index, message) in error.messages.enumerated() {
                    let whole = index == 0 ? message + advice : message
                    self.problems.append(Diagnostic(origin, origin.settingName(path), whole))
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
                ? "; to read it from a file, write \(path)_file and the path of the file"
                : "; write what is JSON as a text, in single quotes"
        }

        /// Returns the value with the paths of the files that it names in the configuration file.
        private mutating func located(
            _ value: SettingValue, _ path: SettingPath, _ setting: SettingRow, _ origin: SettingOrigin
        ) -> SettingValue {
            guard case .file = origin, setting.kind.isPath else { return value }
            switch value {
            case .text(let text): return .text(self.located(text, "\(path)", origin))
            case .list(let items): return .list(items.map { self.located($0, "\(path)", origin) })
            case .integer, .boolean, .names: return value
            }
        }

        private mutating func located(_ text: String, _ name: String, _ origin: SettingOrigin) -> String {
            let (located, isElsewhere) = self.locator.locate(text)
            if isElsewhere {
                self.problems.append(
                    Diagnostic(
                        origin, name,
                        "\(text) is in the current folder, and not in that of this file, where it is looked for first. Move it there, or write the whole path",
                        .warning))
            }
            return located
        }

        /// Flags take precedence over variables, and variables over the file. The content is nil if a file with a
        /// secret could not be read.
        private mutating func given(
            _ path: SettingPath, _ kind: SettingKind
        ) -> (content: ConfigurationNode.Content?, origin: SettingOrigin)? {
            if let flag = self.source.flags.last(where: { $0.path == path }) {
                return (kind.content(flag.value), .flag(flag.name))
            }
            if let override = self.variables.values[path] {
                return (override.text.map { kind.content($0) }, override.origin)
            }
            let own = self.walk.values[path]
            if let secretFile = self.walk.secretFiles[path] { return self.secret(path, in: secretFile, beside: own) }
            return own.map { ($0.content, .file(self.source.name, line: $0.line)) }
        }

        /// Reads the file of a secret that the configuration file names.
        private mutating func secret(
            _ path: SettingPath, in entry: ConfigurationWalker.Found, beside own: ConfigurationWalker.Found?
        ) -> (content: ConfigurationNode.Content?, origin: SettingOrigin) {
            func refuse(_ origin: SettingOrigin, _ message: String) -> (ConfigurationNode.Content?, SettingOrigin) {
                self.problems.append(Diagnostic(origin, "\(path)_file", message))
                return (nil, origin)
            }
            let place = SettingOrigin.file(self.source.name, line: entry.line)
            guard own == nil else {
                return refuse(place, "stands beside the secret itself: remove one of the two")
            }
            let text: String
            do throws(ConfigurationError) {
                guard case .text(let value) = try SettingKind.file.value(of: entry.content, secret: false) else {
                    return refuse(place, "must be the path of a file")
                }
                text = value
            } catch {
                return refuse(place, error.messages.joined(separator: "; "))
            }
            let file = self.located(text, "\(path)_file", place)
            let origin = SettingOrigin.secretFile(self.source.name, line: entry.line, file: file)
            do throws(FileError) {
                return (.scalar(try self.source.files.text(file)), origin)
            } catch {
                return refuse(origin, error.message)
            }
        }

        private mutating func addUnset(_ path: SettingPath, _ setting: SettingRow) {
            switch setting.presence {
            case .value(let value): self.append(path, setting, value, .standard)
            case .optional: self.append(path, setting, nil, .standard)
            case .required:
                guard !self.isInRefusedPart(path) else { return self.append(path, setting, nil, .standard) }
                let line = self.walk.lines[SettingPath(path.segments.dropLast())]
                let origin = SettingOrigin.file(self.source.name, line: line)
                self.problems.append(Diagnostic(origin, path.description, "is required"))
                self.append(path, setting, nil, origin)
            }
        }

        private func isInRefusedPart(_ path: SettingPath) -> Bool {
            (0...path.segments.count).contains { count in
                self.walk.refusedParts.contains(SettingPath(Array(path.segments.prefix(count))))
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
