import OpenIDConnect

/// The settings under one path, such as those of one broker.
struct SettingScope {
    private let settings: EffectiveSettings
    let path: SettingPath

    init(_ settings: EffectiveSettings, _ path: SettingPath) {
        self.settings = settings
        self.path = path
    }

    /// The last segment, such as the broker's name.
    var name: String {
        guard case .name(let name) = self.path.segments.last else { return "" }
        return name
    }

    func text(_ name: String) -> String? {
        guard case .text(let text) = self.value(name) else { return nil }
        return text
    }

    func integer(_ name: String) -> Int? {
        guard case .integer(let number) = self.value(name) else { return nil }
        return number
    }

    func boolean(_ name: String) -> Bool? {
        guard case .boolean(let truth) = self.value(name) else { return nil }
        return truth
    }

    func list(_ name: String) -> [String]? {
        guard case .list(let items) = self.value(name) else { return nil }
        return items
    }

    func names(_ name: String) -> [String: String]? {
        guard case .names(let names) = self.value(name) else { return nil }
        return names
    }

    func choice<Choice: RawRepresentable<String>>(_ name: String) -> Choice? {
        self.text(name).flatMap { Choice(rawValue: $0) }
    }

    func url(_ name: String) -> EndpointURL? {
        self.text(name).flatMap { EndpointURL($0) }
    }

    /// Whether somebody has set it.
    func isWritten(_ name: String) -> Bool { self.settings.isWritten(self.path.appending(name)) }

    /// Makes a problem with one of these settings, at the origin of its value.
    func problem(
        _ name: String, _ message: String, _ level: Diagnostic.Level = .error
    ) -> Diagnostic {
        self.settings.problem(self.path.appending(name), message, level)
    }

    /// Returns the values of these settings, which have been checked.
    func values<Group: SettingGroup>(_: Group.Type = Group.self) -> SettingValues<Group> {
        SettingValues(self.settings, at: self.path)
    }

    /// Returns these settings while the configuration is checked.
    func reader<Group: SettingGroup>(_: Group.Type) -> SettingReader<Group> {
        SettingReader(self.settings, at: self.path)
    }

    private func value(_ name: String) -> SettingValue? {
        self.settings.entry(self.path.appending(name))?.value
    }
}
