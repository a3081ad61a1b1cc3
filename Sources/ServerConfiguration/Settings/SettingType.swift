import Base
import HTTPServer
import HTTPWire
import OpenIDConnect

/// What the value of a setting may be, and what it becomes.
package struct SettingType<Value: Sendable>: Sendable {
    let kind: SettingKind
    /// Returns nil for a value of another kind.
    let read: @Sendable (SettingValue) -> Value?
    /// Returns the value as it is written in a file, for the default.
    let write: @Sendable (Value) -> SettingValue
}

extension SettingType where Value == Int {
    static func integer(_ range: ClosedRange<Int>, _ unit: SettingKind.Unit = .none) -> Self {
        Self(kind: .integer(range, unit), read: \.integer, write: { .integer($0) })
    }
}

extension SettingType where Value == Int? {
    /// 0 is no limit.
    static func limit(upTo most: Int) -> Self {
        Self(
            kind: .integer(0...most, .none), read: { $0.integer.map { $0 == 0 ? nil : $0 } },
            write: { .integer($0 ?? 0) })
    }
}

extension SettingType where Value == Duration {
    static func seconds(_ range: ClosedRange<Int>) -> Self {
        Self(
            kind: .integer(range, .seconds), read: { $0.integer.map { .seconds($0) } },
            write: { .integer(Int($0.components.seconds)) })
    }
}

extension SettingType where Value == Double {
    static var ratio: Self {
        Self(kind: .ratio, read: { $0.text.flatMap { SettingKind.ratio($0) } }, write: { .text("\($0)") })
    }
}

extension SettingType where Value == Bool {
    static var boolean: Self { Self(kind: .boolean, read: \.boolean, write: { .boolean($0) }) }
}

extension SettingType where Value == String {
    static var file: Self { .plain(.file) }
    static var folder: Self { .plain(.folder) }
    static var language: Self { .plain(.language) }
    static var text: Self { .plain(.text) }

    /// A text of a kind, as it is written.
    static func plain(_ kind: SettingKind) -> Self { Self(kind: kind, read: \.text, write: { .text($0) }) }
}

extension SettingType where Value == [String] {
    static func list(_ kind: SettingKind) -> Self { Self(kind: .list(kind), read: \.list, write: { .list($0) }) }
}

extension SettingType where Value == Set<String> {
    /// A list whose order means nothing.
    static func set(_ kind: SettingKind) -> Self {
        Self(kind: .list(kind), read: { $0.list.map { Set($0) } }, write: { .list($0.sorted()) })
    }
}

extension SettingType where Value == [String: String] {
    static var names: Self {
        let read = { @Sendable (value: SettingValue) -> Value? in
            guard case .names(let names) = value else { return nil }
            return names
        }
        return Self(kind: .names, read: read, write: { .names($0) })
    }
}

extension SettingType where Value: RawRepresentable<String> {
    /// One of these words.
    static func choice(of words: [Value]) -> Self {
        Self(
            kind: .choice(words.map(\.rawValue)), read: { $0.text.flatMap { Value(rawValue: $0) } },
            write: { .text($0.rawValue) })
    }
}

extension SettingType where Value: RawRepresentable<String> & CaseIterable {
    /// One of the words of an enumeration.
    static var choice: Self { .choice(of: Array(Value.allCases)) }
}

extension SettingType {
    /// Some of the words of an enumeration.
    static func choices<Word: RawRepresentable<String> & CaseIterable>() -> Self where Value == [Word] {
        Self(
            kind: .list(.choice(Word.allCases.map(\.rawValue))),
            read: { $0.list?.compactMap { Word(rawValue: $0) } }, write: { .list($0.map(\.rawValue)) })
    }
}

extension SettingType where Value == Secret {
    /// No secret has a default.
    static var secret: Self { Self(kind: .text, read: { $0.text.map { Secret($0) } }, write: { _ in .text("") }) }
}

extension SettingType where Value == PageColor {
    static var color: Self {
        Self(kind: .color, read: { $0.text.flatMap { PageColor($0) } }, write: { .text($0.text) })
    }
}

extension SettingType where Value == Timestamp {
    static var time: Self {
        Self(
            kind: .time, read: { $0.text.flatMap { Timestamp(wholeSecondRFC3339: $0) } },
            write: { .text($0.wholeSecondRFC3339) })
    }
}

extension SettingType where Value == ListenAddress {
    static var address: Self {
        Self(kind: .address, read: { $0.text.flatMap { ListenAddress($0) } }, write: { .text("\($0)") })
    }
}

extension SettingType where Value == [TrustedPeer] {
    static var peers: Self {
        Self(
            kind: .list(.trustedPeer), read: { $0.list?.compactMap { TrustedPeer($0) } },
            write: { .list($0.map(\.description)) })
    }
}

extension SettingType where Value == EndpointURL {
    static var origin: Self {
        Self(kind: .origin, read: { $0.text.flatMap { EndpointURL($0) } }, write: { .text($0.text) })
    }
}

extension SettingValue {
    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    var integer: Int? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    var boolean: Bool? {
        guard case .boolean(let truth) = self else { return nil }
        return truth
    }

    var list: [String]? {
        guard case .list(let items) = self else { return nil }
        return items
    }
}
