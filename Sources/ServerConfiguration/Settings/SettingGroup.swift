/// The declarations of settings that belong together, as properties: each is a `Setting`, or a group of its own.
///
/// The order of the properties is that of the table and of the reference. It is a class, because there is one of each,
/// and every reader refers to it.
package protocol SettingGroup: AnyObject, Sendable {
    static var declared: Self { get }
}

extension SettingGroup {
    /// In the order of the properties.
    var settings: [any DeclaredSetting] {
        Mirror(reflecting: self).children.flatMap { child -> [any DeclaredSetting] in
            switch child.value {
            case let setting as any DeclaredSetting: [setting]
            case let group as any SettingGroup: group.settings
            case let list as [Setting<SettingValue>]: list
            default: []
            }
        }
    }

    static var rows: [SettingRow] { Self.declared.settings.map(\.row) }
}

/// The values of a group in a checked configuration. Each has the name and the type of its declaration.
@dynamicMemberLookup
package struct SettingValues<Group: SettingGroup>: Sendable {
    private let group: Group
    private let values: [SettingPattern: SettingValue]

    /// Every setting of the group has a value that was accepted, or may have none. `place` is where the settings are, if
    /// they are those of one app, broker or provider.
    init(_ settings: EffectiveSettings, at place: SettingPath = SettingPath()) {
        let group = Group.declared
        self.init(
            group,
            Dictionary(
                group.settings.compactMap { setting in
                    let pattern = setting.row.pattern
                    return settings.entry(pattern.path(at: place))?.value.map { (pattern, $0) }
                }, uniquingKeysWith: { first, _ in first }))
    }

    private init(_ group: Group, _ values: [SettingPattern: SettingValue]) {
        self.group = group
        self.values = values
    }

    package subscript<Value>(dynamicMember declaration: KeyPath<Group, Setting<Value>>) -> Value {
        let setting = self.group[keyPath: declaration]
        guard let value = setting.value(self.values[setting.row.pattern]) else {
            preconditionFailure("a checked configuration has \(setting.row.pattern)")
        }
        return value
    }

    package subscript<Inner: SettingGroup>(dynamicMember inner: KeyPath<Group, Inner>) -> SettingValues<Inner> {
        SettingValues<Inner>(self.group[keyPath: inner], self.values)
    }

    /// Returns the part of the server that these settings fill; what none of them fills has its usual value.
    package func filled<Owner: SettingsOwner>(_: Owner.Type = Owner.self) -> Owner {
        var owner = Owner()
        self.fill(&owner)
        return owner
    }

    /// Fills the properties of `owner` that these settings name.
    func fill<Owner: SettingsOwner>(_ owner: inout Owner) {
        for setting in self.group.settings { setting.fill(&owner, with: self.values[setting.row.pattern]) }
    }
}

extension SettingValues: CustomStringConvertible, CustomReflectable {
    package var description: String { "the values of \(Group.self)" }

    /// Without this, `dump` and every logger that reflects would walk into the secrets.
    package var customMirror: Mirror {
        let openRows = self.group.settings.map(\.row).filter { !$0.isSecret }
        return Mirror(self, children: openRows.map { ("\($0.pattern)", self.values[$0.pattern] as Any) })
    }
}

/// The settings of a group while the configuration is checked: each may have been refused, or not be set.
@dynamicMemberLookup
struct SettingReader<Group: SettingGroup> {
    private let settings: EffectiveSettings
    private let group: Group

    init(_ settings: EffectiveSettings, _ group: Group = Group.declared) {
        self.settings = settings
        self.group = group
    }

    subscript<Value>(dynamicMember declaration: KeyPath<Group, Setting<Value>>) -> Value? {
        let setting = self.group[keyPath: declaration]
        return setting.value(self.settings.entry(SettingPath(setting.row.pattern.description))?.value)
    }

    subscript<Value>(dynamicMember declaration: KeyPath<Group, Setting<Value?>>) -> Value? {
        let setting = self.group[keyPath: declaration]
        return setting.value(self.settings.entry(SettingPath(setting.row.pattern.description))?.value) ?? nil
    }

    subscript<Inner: SettingGroup>(dynamicMember inner: KeyPath<Group, Inner>) -> SettingReader<Inner> {
        SettingReader<Inner>(self.settings, self.group[keyPath: inner])
    }

    /// Returns where the value of a setting came from.
    func origin<Value>(_ declaration: KeyPath<Group, Setting<Value>>) -> SettingOrigin? {
        self.settings.entry(self.path(declaration))?.origin
    }

    /// Returns the path of a setting, for what is wrong with it.
    func path<Value>(_ declaration: KeyPath<Group, Setting<Value>>) -> SettingPath {
        SettingPath(self.group[keyPath: declaration].row.pattern.description)
    }
}
