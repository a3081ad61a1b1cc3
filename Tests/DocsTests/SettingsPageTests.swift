import ConfigurationSamples
import TestSupport
import Testing

@testable import ServerConfiguration

/// Generates docs/reference/settings.md from the table of settings.
@Suite struct SettingsPageTests {
    @Test func `the page has every setting`() throws {
        let part = GeneratedPart(
            path: "docs/reference/settings.md", source: "the table of settings in Sources/ServerConfiguration")
        try part.expect(Self.text())
    }

    /// What the sections are about; a section that is missing here has no text.
    private static let introductions = [
        "server": "The server itself.",
        "sqlite": "The store `sqlite`.",
        "keys": "Keys of our own, apart from the server key. Each is a list, except `person`; "
            + "[Rotate keys](../how-to/rotate-keys.md) says how one key follows another.",
        "poll": "How apps poll.",
        "proxy": "The proxy in front: [Behind a proxy](../how-to/behind-a-proxy.md).",
        "log": "The log: [Log events](log-events.md).",
        "tracing": "Traces: [Trace logins](../how-to/trace.md).",
        "recorder": "The flight recorder: [Why did a login fail?](../how-to/why-did-a-login-fail.md).",
        "audit": "The audit: [Keep an audit](../how-to/audit.md).",
        "tls": "TLS of our own: [TLS](../how-to/tls.md).",
        "postgresql": "The store `postgresql`: [PostgreSQL](../how-to/postgresql.md).",
        "limits": "What clients may send, hold open and start: [Limits](../how-to/limits.md).",
        "apps": "The apps, each by a name that you choose.",
        "brokers": "The brokers, each by a name that you choose; the redirect URI contains it.",
        "namespaces": "Namespaces of accounts that outlive a broker: "
            + "[Move to another broker](../how-to/move-to-another-broker.md).",
        "providers": "The providers, each by a name that you choose: what users choose from.",
    ]

    private static func text() -> String {
        var names: [String] = []
        var sections: [String: [SettingRow]] = [:]
        for setting in SettingTable.all {
            let name = Self.section(of: setting)
            if sections[name] == nil { names.append(name) }
            sections[name, default: []].append(setting)
        }
        return names.map { name in
            let introduction = Self.introductions[name].map { Paragraph.wrapped($0) + "\n\n" } ?? ""
            let settings = (sections[name] ?? []).map(Self.text(of:)).joined(separator: "\n")
            return "## \(name)\n\n\(introduction)\(settings)"
        }.joined(separator: "\n")
    }

    private static func section(of setting: SettingRow) -> String {
        guard setting.pattern.segments.count > 1, case .name(let name)? = setting.pattern.segments.first else {
            return "server"
        }
        return name
    }

    private static func text(of setting: SettingRow) -> String {
        var lines = ["- Value: \(Self.kind(setting.kind))"]
        switch setting.presence {
        case .required: lines.append("- Required")
        case .optional: lines.append("- Default: none")
        case .value(let value): lines.append("- Default: \(Self.shown(value))")
        }
        lines.append("- Variable: `\(Self.variable(of: setting.pattern))`")
        if setting.isSecret { lines.append("- Secret: never shown, best given by a file") }
        if setting.isReadAtStart { lines.append("- Read only at the start") }
        let list = lines.map { Paragraph.wrapped($0, indent: "  ") }.joined(separator: "\n")
        let explanation = Paragraph.wrapped(Paragraph.marked(setting.explanation))
        return "### `\(setting.pattern)`\n\n\(explanation)\n\n\(list)\n"
    }

    private static func kind(_ kind: SettingKind) -> String {
        switch kind {
        case .choice(let words): Self.list(words, "or")
        case .list(.choice(let words)): "a list of \(Self.list(words, "and"))"
        case .names: "text, or one text per language"
        default: Paragraph.marked(kind.demand)
        }
    }

    private static func list(_ words: [String], _ last: String) -> String {
        let shown = words.map { "`\($0)`" }
        guard shown.count > 1 else { return shown.joined() }
        return shown.dropLast().joined(separator: ", ") + " \(last) " + shown[shown.count - 1]
    }

    private static func shown(_ value: SettingValue) -> String {
        switch value {
        case .text(let text): "`\(text)`"
        case .integer(let number): "`\(number)`"
        case .boolean(let truth): "`\(truth)`"
        case .list(let items): items.isEmpty ? "an empty list" : "`[\(items.joined(separator: ", "))]`"
        case .names(let names): "`\(names)`"
        }
    }

    /// Of the setting in Config/switchback.yaml, which has every one.
    private static func variable(of pattern: SettingPattern) -> String {
        Self.sample.first { $0.setting.pattern == pattern }?.path.variable ?? "none"
    }

    private static let sample: [EffectiveSettings.Entry] = {
        let yaml = (try? SourceFile.text("Config/switchback.yaml")) ?? ""
        let source = ConfigurationSource(name: "switchback.yaml", yaml: Array(yaml.utf8), files: FileAccess([:]))
        return Configuration.settings(source).settings.entries
    }()

    @Test(arguments: SettingTable.all.map(\.pattern.description))
    func `every setting has a variable`(_ pattern: String) {
        #expect(Self.variable(of: SettingPattern(pattern)).hasPrefix("SWITCHBACK_"))
    }
}

/// Text of the code as a paragraph of a page.
enum Paragraph {
    private static let width = 120

    /// Words that Markdown would read as marks, and names, between backticks.
    static func marked(_ text: String) -> String {
        // What is between braces or backticks stays together.
        text.split(separator: " ").reduce(into: [String]()) { words, word in
            if let last = words.last, Self.isOpen(last) {
                words[words.count - 1] = "\(last) \(word)"
            } else {
                words.append(String(word))
            }
        }.map(Self.markedWord).joined(separator: " ")
    }

    private static func isOpen(_ text: String) -> Bool {
        Self.count("{", in: text) > Self.count("}", in: text) || !Self.count("`", in: text).isMultiple(of: 2)
    }

    private static func count(_ character: Character, in text: String) -> Int { text.count(where: { $0 == character }) }

    private static func markedWord(_ word: String) -> String {
        guard !word.contains("`") else { return word }
        let head = word.prefix { "([\"".contains($0) }
        let body = word.dropFirst(head.count)
        let ends = ".,;:\"" + (body.contains("(") ? "" : ")") + (body.contains("[") ? "" : "]")
        let tail = String(body.reversed().prefix { ends.contains($0) }.reversed())
        guard Self.isName(body.dropLast(tail.count)) else { return word }
        return "\(head)`\(body.dropLast(tail.count))`\(tail)"
    }

    /// A path, an address or a name of the configuration, and no number.
    private static func isName(_ text: Substring) -> Bool {
        ["_", "*", "{", "<", ":", "/", "."].contains { text.contains($0) } && text.contains(where: \.isLetter)
    }

    /// Lines of at most 120 characters; code between backticks is not cut.
    static func wrapped(_ text: String, indent: String = "") -> String {
        var words: [String] = []
        for word in text.split(separator: " ") {
            if let last = words.last, !Self.count("`", in: last).isMultiple(of: 2) {
                words[words.count - 1] = "\(last) \(word)"
            } else {
                words.append(String(word))
            }
        }
        var lines = [""]
        for word in words {
            let line = lines[lines.count - 1]
            if line.isEmpty || line == indent {
                lines[lines.count - 1] = line + word
            } else if line.count + 1 + word.count <= Self.width {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                lines.append(indent + word)
            }
        }
        return lines.joined(separator: "\n")
    }
}
