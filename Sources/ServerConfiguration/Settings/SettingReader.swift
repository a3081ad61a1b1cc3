/// The settings of a group while the configuration is checked: each may have been refused, or not be set.
@dynamicMemberLookup
struct SettingReader<Group: SettingDeclarations> {
    private let settings: EffectiveSettings
    private let group: Group
    /// Where the settings are, if they are those of one app or of an item of a list.
    private let place: SettingPath

    init(_ settings: EffectiveSettings, _ group: Group, at place: SettingPath) {
        self.settings = settings
        self.group = group
        self.place = place
    }

    subscript<Value>(dynamicMember declaration: KeyPath<Group, Setting<Value>>) -> Value? {
        self.group[keyPath: declaration].value(self.value(declaration))
    }

    subscript<Value>(dynamicMember declaration: KeyPath<Group, Setting<Value?>>) -> Value? {
        self.group[keyPath: declaration].value(self.value(declaration)) ?? nil
    }

    /// A setting that only some lists of the group's kind have.
    subscript<Value>(dynamicMember declaration: KeyPath<Group, Setting<Value?>?>) -> Value? {
        guard let setting = self.group[keyPath: declaration], let path = self.path(declaration) else { return nil }
        return setting.value(self.settings.entry(path)?.value) ?? nil
    }

    subscript<Inner: SettingDeclarations>(dynamicMember inner: KeyPath<Group, Inner>) -> SettingReader<Inner> {
        SettingReader<Inner>(self.settings, self.group[keyPath: inner], at: self.place)
    }

    subscript<Item>(dynamicMember declaration: KeyPath<Group, SettingItems<Item>>) -> [SettingReader<Item>] {
        let list = self.group[keyPath: declaration]
        return self.settings.scopes(list.pattern.path(at: self.place)).map {
            SettingReader<Item>(self.settings, list.item, at: $0.path)
        }
    }

    /// Returns where the value of a setting came from.
    func origin<Value>(_ declaration: KeyPath<Group, Setting<Value>>) -> SettingOrigin? {
        self.settings.entry(self.path(declaration))?.origin
    }

    /// Returns the path of a setting, for what is wrong with it.
    func path<Value>(_ declaration: KeyPath<Group, Setting<Value>>) -> SettingPath {
        self.group[keyPath: declaration].row.pattern.path(at: self.place)
    }

    func path<Value>(_ declaration: KeyPath<Group, Setting<Value>?>) -> SettingPath? {
        self.group[keyPath: declaration]?.row.pattern.path(at: self.place)
    }

    /// Returns the path of a list whose items have settings of their own.
    func path<Item>(_ list: KeyPath<Group, SettingItems<Item>>) -> SettingPath {
        self.group[keyPath: list].pattern.path(at: self.place)
    }

    /// Returns true if the setting was set, even to a value that was refused.
    func isGiven<Value>(_ declaration: KeyPath<Group, Setting<Value>>) -> Bool {
        self.settings.isGiven(self.path(declaration))
    }

    /// Makes a problem with one of these settings, at the origin of its value.
    func problem<Value>(_ declaration: KeyPath<Group, Setting<Value>>, _ message: String) -> Diagnostic {
        self.settings.problem(self.path(declaration), message)
    }

    /// The same for a setting that only some lists have. Those without it have no such problem.
    func problem<Value>(_ declaration: KeyPath<Group, Setting<Value>?>, _ message: String) -> Diagnostic? {
        self.path(declaration).map { self.settings.problem($0, message) }
    }

    /// Returns the values of these settings, which have been checked.
    func values() -> SettingValues<Group> { SettingValues(self.settings, self.group, at: self.place) }

    private func value<Value>(_ declaration: KeyPath<Group, Setting<Value>>) -> SettingValue? {
        self.settings.entry(self.path(declaration))?.value
    }
}

extension SettingReader where Group: SettingGroup {
    init(_ settings: EffectiveSettings, at place: SettingPath = SettingPath()) {
        self.init(settings, Group.declared, at: place)
    }
}
