/// The pattern of a setting's path: `brokers.*.issuer` for every broker, `keys.signing[].file` for every item of a
/// list.
package struct SettingPattern: Hashable, Sendable {
    package enum Segment: Hashable, Sendable {
        case name(String)
        /// A name that the operator chose.
        case anyName
        case anyItem
    }

    package let segments: [Segment]

    package init(_ text: String) {
        self.segments = text.split(separator: ".").flatMap { part -> [Segment] in
            if part == "*" { return [.anyName] }
            if part.hasSuffix("[]") { return [.name(String(part.dropLast(2))), .anyItem] }
            return [.name(String(part))]
        }
    }

    /// Returns the path of the pattern under `place`, such as that of one broker for `brokers.*.issuer`.
    func path(at place: SettingPath) -> SettingPath {
        self.segments.dropFirst(place.segments.count).reduce(place) { path, segment in
            guard case .name(let name) = segment else { return path }
            return path.appending(.name(name))
        }
    }

    /// Returns every path of the pattern in a configuration with these names and items.
    package func paths(_ instances: [SettingPath: [SettingPath.Segment]]) -> [SettingPath] {
        self.segments.reduce([SettingPath()]) { paths, segment in
            switch segment {
            case .name(let name): paths.map { $0.appending(.name(name)) }
            case .anyName, .anyItem: paths.flatMap { path in (instances[path] ?? []).map { path.appending($0) } }
            }
        }
    }
}

extension SettingPattern: CustomStringConvertible {
    package var description: String {
        var text = ""
        for segment in self.segments {
            switch segment {
            case .name(let name): text += text.isEmpty ? name : ".\(name)"
            case .anyName: text += ".*"
            case .anyItem: text += "[]"
            }
        }
        return text
    }
}
