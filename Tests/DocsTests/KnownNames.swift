import ConfigurationSamples
import LoginAPI
import Logins
import OpenAPIChecking
import ServerConfiguration
import StrictJSON
import Telemetry

/// The names that the code has: settings, metrics, log events, and the words of the API.
enum KnownNames {
    // MARK: - Settings

    /// `brokers`, `limits`: what stands before the first dot of a setting.
    static let sections = Set(
        SettingTable.all.compactMap { setting -> String? in
            guard setting.pattern.segments.count > 1, case .name(let name)? = setting.pattern.segments.first else {
                return nil
            }
            return name
        })

    /// Whether this is a setting, or a group of settings: `brokers.*.issuer`, `brokers.idura.issuer`, `keys.signing`.
    static func isSetting(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).flatMap(Self.segments)
        return SettingTable.all.contains { setting in
            let segments = setting.pattern.segments
            guard parts.count <= segments.count else { return false }
            return zip(parts, segments).allSatisfy { part, segment in
                switch segment {
                case .name(let name): part == name
                case .anyName: true
                case .anyItem: part == "[]"
                }
            }
        }
    }

    /// `signing[0]` names a list and an item of it.
    private static func segments(_ part: Substring) -> [Substring] {
        guard part.hasSuffix("]"), let bracket = part.firstIndex(of: "[") else { return [part] }
        return [part[..<bracket], "[]"]
    }

    // MARK: - Metrics

    static func isMetric(_ name: String) -> Bool {
        Metric.all.contains { metric in ["", "_bucket", "_sum", "_count"].contains { metric.name + $0 == name } }
    }

    // MARK: - The API

    static let openAPI = Result { try OpenAPIDocument(yaml: SourceFile.text("Public/openapi.yaml")) }

    /// The names of members and the values that a member may have.
    private static func vocabulary(of json: JSON) -> Set<String> {
        switch json {
        case .object(let members):
            members.reduce(into: []) { words, member in
                if member.name == "properties" { words.formUnion(member.value.object?.names ?? []) }
                if ["enum", "x-extensible-enum"].contains(member.name) {
                    words.formUnion(member.value.array?.compactMap(\.string) ?? [])
                }
                if member.name == "const", let text = member.value.string { words.insert(text) }
                words.formUnion(Self.vocabulary(of: member.value))
            }
        case .array(let items): items.reduce(into: []) { $0.formUnion(Self.vocabulary(of: $1)) }
        case .null, .bool, .integer, .number, .decimal, .string: []
        }
    }

    // MARK: - All of them

    /// Every word with an underscore that a page may name and that is no log event.
    static let words: Set<String> = {
        var words = Set(Problem.Code.allCases.map(\.rawValue))
        words.formUnion(Reason.allCases.map(\.rawValue))
        words.formUnion(LoginStatus.allCases.map(\.rawValue))
        words.formUnion(ReachedLimit.allCases.map(\.rawValue))
        words.formUnion(Metric.all.flatMap { [$0.name] + $0.labels })
        for setting in SettingTable.all {
            for case .name(let name) in setting.pattern.segments { words.insert(name) }
            words.formUnion(setting.kind.choices)
        }
        words.formUnion((try? Self.openAPI.get().root).map(Self.vocabulary(of:)) ?? [])
        return words
    }()
}

extension SettingKind {
    /// The words that the setting may be.
    var choices: [String] {
        switch self {
        case .choice(let words): words
        case .list(let kind): kind.choices
        default: []
        }
    }
}
