/// The settings that environment variables give, and the variables that are no setting.
import Base

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
            if ServiceLink.isOne(name, text) { continue }
            if let path = known[name] {
                self.take(path, text, .variable(name))
            } else if name.hasSuffix("_FILE"), let path = known[String(name.dropLast(5))] {
                self.take(path, file: text, variable: name, source.files)
            } else if !Self.others.contains(name) {
                let names = known.keys.sorted()
                let nearest = Nearest.word(to: name, in: names + names.map { $0 + "_FILE" })
                let advice = nearest.map { "; did you mean \($0)?" } ?? ""
                // They stop nothing: others put variables into our environment too.
                self.problems.append(
                    Configuration.Problem(.variable(name), "", "is not a setting and is ignored\(advice)", .warning))
            }
        }
    }

    private mutating func take(_ path: SettingPath, file: String, variable: String, _ files: FileAccess) {
        let origin = Configuration.Origin.variableFile(variable, file: file)
        do throws(FileError) {
            self.take(path, try files.text(file), origin)
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
}
