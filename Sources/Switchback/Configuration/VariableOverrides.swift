/// The settings that environment variables give, and the variables that mean nothing.
struct VariableOverrides {
    /// What a variable says, or why it says nothing.
    struct Found {
        let text: String?
        let origin: Configuration.Origin
    }

    /// Variables of the command, which are not settings.
    static let others: Set<String> = ["SWITCHBACK_CONFIG"]

    private(set) var values: [SettingPath: Found] = [:]
    private(set) var problems: [Configuration.Problem] = []

    /// A variable overrides a setting of this configuration; it brings no app, broker or provider into being.
    init(_ paths: [SettingPath], in source: Configuration.Source) {
        let known = Dictionary(paths.map { ($0.variable, $0) }, uniquingKeysWith: { first, _ in first })
        for (name, text) in source.environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("SWITCHBACK_") {
            if let path = known[name] {
                self.take(path, text, .variable(name))
            } else if name.hasSuffix("_FILE"), let path = known[String(name.dropLast(5))] {
                self.take(path, file: text, variable: name, source.files)
            } else if !Self.others.contains(name), !Self.isServiceLink(name, text) {
                let nearest = Nearest.word(to: name, in: known.keys.sorted()).map { "; did you mean \($0)?" } ?? ""
                self.problems.append(Configuration.Problem(.variable(name), "", "is not a setting\(nearest)"))
            }
        }
    }

    private mutating func take(_ path: SettingPath, file: String, variable: String, _ files: FileAccess) {
        let origin = Configuration.Origin.variableFile(variable, file: file)
        do throws(FileAccess.Failure) {
            guard let text = String(validating: try files.read(file), as: UTF8.self) else {
                throw FileAccess.Failure("is not UTF-8")
            }
            // Editors and `echo` end a file with a line end; it belongs to no value.
            self.take(path, text.hasSuffix("\n") ? String(text.dropLast()) : text, origin)
        } catch {
            self.problems.append(Configuration.Problem(origin, path.description, error.message))
            self.values[path] = Found(text: nil, origin: origin)
        }
    }

    private mutating func take(_ path: SettingPath, _ text: String, _ origin: Configuration.Origin) {
        guard self.values[path] == nil else {
            let both = "set \(path.variable) or \(path.variable)_FILE, not both"
            return self.problems.append(Configuration.Problem(origin, path.description, both))
        }
        self.values[path] = Found(text: text, origin: origin)
    }

    /// Kubernetes gives every container such variables for each service of the namespace, and ours may well be called
    /// `switchback`: `SWITCHBACK_SERVICE_HOST`, `SWITCHBACK_PORT` with a URL.
    private static func isServiceLink(_ name: String, _ text: String) -> Bool {
        let words = name.split(separator: "_").dropFirst()
        if words.suffix(2) == ["SERVICE", "HOST"] { return true }
        if zip(words, words.dropFirst()).contains(where: { $0 == "SERVICE" && $1 == "PORT" }) { return true }
        if words.last == "PORT" { return text.contains("://") }
        return words.contains("PORT") && words.contains { ["TCP", "UDP", "SCTP"].contains($0) }
    }
}
