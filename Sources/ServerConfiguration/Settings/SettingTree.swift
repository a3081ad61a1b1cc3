/// The table of settings as a tree, to compare with a file.
indirect enum SettingTree: Sendable {
    case setting(SettingRow)
    /// Fixed names, in the order of the table.
    case section([(name: String, tree: SettingTree)])
    /// Names that the operator chose.
    case named(SettingTree)
    case items(SettingTree)

    init(_ settings: [SettingRow]) { self.init(settings.map { ($0.pattern.segments[...], $0) }) }

    private typealias Row = (rest: ArraySlice<SettingPattern.Segment>, setting: SettingRow)

    private init(_ rows: [Row]) {
        guard let first = rows.first else {
            self = .section([])
            return
        }
        switch first.rest.first {
        case nil: self = .setting(first.setting)
        case .anyName: self = .named(SettingTree(rows.map { ($0.rest.dropFirst(), $0.setting) }))
        case .anyItem: self = .items(SettingTree(rows.map { ($0.rest.dropFirst(), $0.setting) }))
        case .name: self = .section(Self.children(of: rows))
        }
    }

    private static func children(of rows: [Row]) -> [(name: String, tree: SettingTree)] {
        var names: [String] = []
        var groups: [String: [Row]] = [:]
        for row in rows {
            guard case .name(let name) = row.rest.first else { continue }
            if groups[name] == nil { names.append(name) }
            groups[name, default: []].append((row.rest.dropFirst(), row.setting))
        }
        return names.map { ($0, SettingTree(groups[$0] ?? [])) }
    }
}
