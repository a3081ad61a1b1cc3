import Synchronization

/// The declarations of settings that belong together, as properties: each is a `Setting`, a group of its own, or a list
/// whose items are groups.
///
/// The order of the properties is that of the table and of the reference. It is a class, because every reader refers to
/// it.
package protocol SettingDeclarations: AnyObject, Sendable {}

/// Those of which there is one.
package protocol SettingGroup: SettingDeclarations {
    static var declared: Self { get }
}

/// The settings of each group that was reflected, by its identity. The groups of apps, brokers and providers are asked
/// again for each of them.
private let reflectedGroups = Mutex<[ObjectIdentifier: ReflectedGroup]>([:])

/// A group and its settings. It holds the group, so that no other one gets its identity.
private struct ReflectedGroup {
    let group: any SettingDeclarations
    let settings: [any DeclaredSetting]
}

extension SettingDeclarations {
    /// In the order of the properties.
    var settings: [any DeclaredSetting] {
        let id = ObjectIdentifier(self)
        if let group = reflectedGroups.withLock({ $0[id] }) { return group.settings }
        let settings = self.reflectedSettings
        reflectedGroups.withLock { $0[id] = ReflectedGroup(group: self, settings: settings) }
        return settings
    }

    private var reflectedSettings: [any DeclaredSetting] {
        Mirror(reflecting: self).children.flatMap { child -> [any DeclaredSetting] in
            // A cast that fails looks at every type of the program.
            if type(of: child.value) is AnyClass { return (child.value as? any SettingDeclarations)?.settings ?? [] }
            return switch child.value {
            case let setting as any DeclaredSetting: [setting]
            case let list as any DeclaredItems: list.settings
            default: []
            }
        }
    }
}

extension SettingGroup {
    static var rows: [SettingRow] { Self.declared.settings.map(\.row) }
}

/// The values of a group in a checked configuration. Each has the name and the type of its declaration.
@dynamicMemberLookup
package struct SettingValues<Group: SettingDeclarations>: Sendable {
    private let group: Group
    private let values: [SettingPattern: SettingValue]

    /// Every setting of the group has a value that was accepted, or may have none. `place` is where the settings are, if
    /// they are those of one app, broker or provider.
    init(_ settings: EffectiveSettings, _ group: Group, at place: SettingPath) {
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

    package subscript<Inner: SettingDeclarations>(dynamicMember inner: KeyPath<Group, Inner>) -> SettingValues<Inner> {
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

extension SettingValues where Group: SettingGroup {
    init(_ settings: EffectiveSettings, at place: SettingPath = SettingPath()) {
        self.init(settings, Group.declared, at: place)
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
