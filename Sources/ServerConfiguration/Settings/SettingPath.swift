/// The path of a setting in a configuration, such as `brokers.idura.issuer` or `keys.signing[0].file`.
package struct SettingPath: Hashable, Sendable {
    package enum Segment: Hashable, Sendable {
        case name(String)
        case item(Int)
    }

    package private(set) var segments: [Segment]

    package init(_ segments: [Segment] = []) {
        self.segments = segments
    }

    /// A path without list items, written with dots.
    package init(_ text: String) {
        self.segments = text.split(separator: ".").map { .name(String($0)) }
    }

    package func appending(_ segment: Segment) -> SettingPath {
        SettingPath(self.segments + [segment])
    }

    package func appending(_ text: String) -> SettingPath {
        SettingPath(self.segments + SettingPath(text).segments)
    }

    /// The environment variable that overrides the setting. Two underscores separate segments, so no name contains two.
    package var variable: String {
        "SWITCHBACK_"
            + self.segments.map { segment in
                switch segment {
                case .name(let name): name.uppercased()
                case .item(let index): String(index)
                }
            }.joined(separator: "__")
    }
}

extension SettingPath: CustomStringConvertible {
    package var description: String {
        var text = ""
        for segment in self.segments {
            switch segment {
            case .name(let name): text += text.isEmpty ? name : ".\(name)"
            case .item(let index): text += "[\(index)]"
            }
        }
        return text
    }
}
