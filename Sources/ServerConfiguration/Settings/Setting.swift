/// One setting and the type of its value. It is declared once, as a property of a `SettingGroup`, and that property
/// reads it: `configuration.sessions.idle`.
package struct Setting<Value: Sendable>: DeclaredSetting {
    package let row: SettingRow
    /// Gets nil if the setting is not set. Returns nil if the value is of another kind, or if there must be one.
    private let read: @Sendable (SettingValue?) -> Value?
    /// Where the value goes in a `SettingsOwner`.
    private let target: (any Sendable & AnyKeyPath)?

    private init(_ row: SettingRow, into target: (any Sendable & AnyKeyPath)?, _ read: @escaping Reader) {
        self.row = row
        self.target = target
        self.read = read
    }

    private typealias Reader = @Sendable (SettingValue?) -> Value?

    package func value(_ value: SettingValue?) -> Value? { self.read(value) }

    package func isReadable(_ value: SettingValue?) -> Bool { self.read(value) != nil }

    package func fill<Owner: SettingsOwner>(_ owner: inout Owner, with value: SettingValue?) {
        guard let target = self.target as? WritableKeyPath<Owner, Value>, let value = self.read(value) else { return }
        owner[keyPath: target] = value
    }
}

extension Setting {
    /// A setting with a default.
    init(
        _ pattern: String, _ type: SettingType<Value>, default value: Value, secret: Bool = false,
        atStart: Bool = false, _ explanation: String
    ) {
        let presence = SettingRow.Presence.value(type.write(value))
        let row = SettingRow(pattern, type.kind, presence, secret: secret, atStart: atStart, explanation)
        self.init(row, into: nil) { $0.flatMap(type.read) }
    }

    /// A setting whose default is given as in a file.
    init(
        _ pattern: String, _ type: SettingType<Value>, written value: SettingValue, atStart: Bool = false,
        _ explanation: String
    ) {
        self.init(SettingRow(pattern, type.kind, .value(value), atStart: atStart, explanation), into: nil) {
            $0.flatMap(type.read)
        }
    }

    /// A setting that fills a property of its owner, which has the default too.
    init<Owner: SettingsOwner>(
        _ pattern: String, _ type: SettingType<Value>, fills target: any Sendable & WritableKeyPath<Owner, Value>,
        atStart: Bool = false, _ explanation: String
    ) {
        let presence = SettingRow.Presence.value(type.write(Owner()[keyPath: target]))
        let row = SettingRow(pattern, type.kind, presence, atStart: atStart, explanation)
        self.init(row, into: target) { $0.flatMap(type.read) }
    }

    /// A setting that every configuration has.
    init(_ pattern: String, required type: SettingType<Value>, atStart: Bool = false, _ explanation: String) {
        self.init(SettingRow(pattern, type.kind, .required, atStart: atStart, explanation), into: nil) {
            $0.flatMap(type.read)
        }
    }

    /// A setting without a default.
    init<Wrapped: Sendable>(
        _ pattern: String, optional type: SettingType<Wrapped>, secret: Bool = false, atStart: Bool = false,
        _ explanation: String
    ) where Value == Wrapped? {
        let row = SettingRow(pattern, type.kind, .optional, secret: secret, atStart: atStart, explanation)
        self.init(row, into: nil) { Self.optional($0, type) }
    }

    /// A setting without a default, which is read as `absent` if it is not set.
    init(
        _ pattern: String, optional type: SettingType<Value>, otherwise absent: Value, _ explanation: String
    ) {
        self.init(SettingRow(pattern, type.kind, .optional, explanation), into: nil) { value in
            guard let value else { return absent }
            return type.read(value)
        }
    }

    /// A setting without a default that fills a property of its owner.
    init<Owner: SettingsOwner, Wrapped: Sendable>(
        _ pattern: String, optional type: SettingType<Wrapped>,
        fills target: any Sendable & WritableKeyPath<Owner, Wrapped?>, atStart: Bool = false, _ explanation: String
    ) where Value == Wrapped? {
        let row = SettingRow(pattern, type.kind, .optional, atStart: atStart, explanation)
        self.init(row, into: target) { Self.optional($0, type) }
    }

    private static func optional<Wrapped>(_ value: SettingValue?, _ type: SettingType<Wrapped>) -> Value?
    where Value == Wrapped? {
        guard let value else { return .some(nil) }
        return type.read(value).map { .some($0) }
    }
}

/// A setting, whatever the type of its value.
package protocol DeclaredSetting: Sendable {
    var row: SettingRow { get }

    /// Whether the value has the setting's type.
    func isReadable(_ value: SettingValue?) -> Bool

    func fill<Owner: SettingsOwner>(_ owner: inout Owner, with value: SettingValue?)
}

/// The settings of one part of the server, which has a default for each of them. `Setting` fills its properties.
package protocol SettingsOwner: Sendable {
    init()
}
