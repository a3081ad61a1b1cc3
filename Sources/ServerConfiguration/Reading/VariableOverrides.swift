import Base

/// The settings in environment variables, and the variables that are not settings.
struct VariableOverrides {
    /// The value of a variable; the text is nil if it could not be read.
    struct Found {
        let text: String?
        let origin: SettingOrigin
    }

    /// Variables of the command, which are not settings.
    static let others: Set<String> = ["SWITCHBACK_CONFIG"]

    private(set) var values: [SettingPath: Found] = [:]
    private(set) var problems: [Diagnostic] = []

    /// A variable overrides a setting of this configuration. It cannot add an app, a broker or a provider. Nobody knows
    /// the settings of a part that was refused.
    init(_ paths: [SettingPath], refused refusedParts: Set<SettingPath>, in source: ConfigurationSource) {
        let refusedVariables = refusedParts.map(\.variable)
        let pathsByVariable = Dictionary(paths.map { ($0.variable, $0) }, uniquingKeysWith: { first, _ in first })
        for (name, text) in source.environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("SWITCHBACK_") {
            if ServiceLink.isOne(name, text) { continue }
            if let path = pathsByVariable[name] {
                self.take(path, text, .variable(name))
            } else if name.hasSuffix("_FILE"), let path = pathsByVariable[String(name.dropLast(5))] {
                self.take(path, file: text, variable: name, source.files)
            } else if !Self.others.contains(name), !refusedVariables.contains(where: { name.hasPrefix($0 + "__") }) {
                let names = pathsByVariable.keys.sorted()
                let advice =
                    Self.adviceOnName(in: name, known: names)
                    ?? Self.nearest(to: name, among: names + names.map { $0 + "_FILE" }).map {
                        "; did you mean \($0)?"
                    } ?? ""
                // Only a warning: others put variables into our environment too.
                self.problems.append(
                    Diagnostic(.variable(name), "", "is not a setting and is ignored\(advice)", .warning))
            }
        }
    }

    /// Returns the variable whose segments are all near those of the name; nil if there is none.
    private static func nearest(to name: String, among knownNames: [String]) -> String? {
        // Somebody wrote one underscore for two.
        func letters(_ text: String) -> String { text.split(separator: "_").joined(separator: "_") }
        if let same = knownNames.first(where: { letters($0) == letters(name) }) { return same }
        let segments = Self.segments(name)
        return knownNames.compactMap { known -> (name: String, difference: Int)? in
            let knownSegments = Self.segments(known)
            guard knownSegments.count == segments.count else { return nil }
            var difference = 0
            for (segment, knownSegment) in zip(segments, knownSegments) where segment != knownSegment {
                // A number is the place in a list.
                guard
                    let own = SpellingSuggestion.difference(segment, knownSegment) ?? Self.number(segment, knownSegment)
                else { return nil }
                difference += own
            }
            return (known, difference)
        }.min { $0.difference < $1.difference }?.name
    }

    private static func number(_ segment: String, _ knownSegment: String) -> Int? {
        Int(segment) != nil && Int(knownSegment) != nil ? 1 : nil
    }

    private static func segments(_ variable: String) -> [String] {
        variable.dropFirst("SWITCHBACK_".count).split(separator: "__").map(String.init)
    }

    /// The variable would be right if the file had the app, the broker or the provider in its name.
    private static func adviceOnName(in variable: String, known knownVariables: [String]) -> String? {
        let parts = variable.dropFirst("SWITCHBACK_".count).split(separator: "__").map { $0.lowercased() }
        guard parts.count > 2, let last = parts.last else { return nil }
        let names = knownVariables.map {
            $0.dropFirst("SWITCHBACK_".count).split(separator: "__").map { $0.lowercased() }
        }
        .filter { $0.count > 2 && $0[0] == parts[0] }.map { $0[1] }
        // A misspelt name has a suggestion.
        guard SpellingSuggestion.isFar(parts[1], from: names) else { return nil }
        let endings = [last, last.hasSuffix("_file") ? String(last.dropLast(5)) : last]
        let exists = SettingTable.all.contains { setting in
            endings.contains { ending in
                let wantedPattern = ([parts[0], "*"] + parts[2...].dropLast() + [ending]).joined(separator: ".")
                return setting.pattern.description == wantedPattern
            }
        }
        return exists ? ", because the file has no \(parts[0]).\(parts[1])" : nil
    }

    private mutating func take(_ path: SettingPath, file: String, variable: String, _ files: FileAccess) {
        let origin = SettingOrigin.variableFile(variable, file: file)
        do throws(FileError) {
            self.take(path, try files.text(file), origin)
        } catch {
            self.problems.append(Diagnostic(origin, path.description, error.message))
            self.values[path] = Found(text: nil, origin: origin)
        }
    }

    private mutating func take(_ path: SettingPath, _ text: String, _ origin: SettingOrigin) {
        guard self.values[path] == nil else {
            let both = "set \(path.variable) or \(path.variable)_FILE, not both"
            return self.problems.append(Diagnostic(origin, path.description, both))
        }
        self.values[path] = Found(text: text, origin: origin)
    }
}

/// The variables that a kubelet gives to every container, for each Service in its namespace (service links).
///
/// The Service of this server may be called `switchback`, and then its variables have our prefix.
enum ServiceLink {
    /// True for `SWITCHBACK_SERVICE_HOST`, `SWITCHBACK_SERVICE_PORT_HTTP`, `SWITCHBACK_PORT_8080_TCP_ADDR`, and the
    /// same with `SWITCHBACK_DB_` for a Service called `switchback-db`. No setting has such a name except `reuse_port`,
    /// which is never a URL; a test checks that.
    static func isOne(_ name: String, _ text: String) -> Bool {
        // Two underscores separate the segments of a setting.
        guard !name.contains("__") else { return false }
        // An operator may set `SWITCHBACK_PORT` to a number; a kubelet writes a URL there. A Service called
        // `switchback-reuse` puts a URL into `SWITCHBACK_REUSE_PORT`.
        if name.hasSuffix("_PORT"), !name.hasSuffix("_SERVICE_PORT"), text.contains("://") { return true }
        let isNamedSo = name.wholeMatch(
            of: /[A-Z0-9_]+_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)/)
        return isNamedSo != nil
    }
}
