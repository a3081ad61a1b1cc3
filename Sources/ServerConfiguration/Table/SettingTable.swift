import Brokers

/// The table of all settings, for reading, checking, overriding and printing.
package enum SettingTable {
    package static let all: [SettingRow] =
        ServerSettings.rows + CertificateSettings.rows + PostgreSQLSettings.rows + LimitSettings.rows
        + SessionSettings.rows + AttestationSettings.rows + AppSettings.rows
        + Self.with(KnownKind.all.flatMap(\.settings), of: "brokers.*", in: CommonBrokerSettings.rows)
        + NamespaceSettings.rows
        + Self.with(KnownKind.all.flatMap(\.providerSettings), of: "providers.*", in: CommonProviderSettings.rows)

    /// The same as a tree, to compare with a file.
    static let tree = SettingTree(Self.all)

    /// Returns the rows with these options of kinds among them, each at its place.
    private static func with(_ options: [KindOption], of scope: String, in rows: [SettingRow]) -> [SettingRow] {
        let names = Set(rows.map(\.pattern.description))
        let isPlaced = { (option: KindOption) in option.place.map { names.contains("\(scope).\($0)") } ?? false }
        let placed = rows.flatMap { row in
            [row]
                + options.filter { "\(scope).\($0.place ?? "")" == row.pattern.description }
                .map { SettingRow($0, of: scope) }
        }
        return placed + options.filter { !isPlaced($0) }.map { SettingRow($0, of: scope) }
    }
}

/// A setting that only one kind of broker reads. Each kind declares its own.
extension SettingRow {
    fileprivate init(_ option: KindOption, of scope: String) {
        let presence: Presence =
            switch option.presence {
            // Other kinds do not have it. A rule requires it of its own.
            case .required, .optional: .optional
            case .text(let text): .value(.text(text))
            case .list(let items): .value(.list(items))
            }
        self.init("\(scope).\(option.name)", SettingKind(option.format), presence, option.explanation)
    }
}

extension SettingKind {
    fileprivate init(_ format: KindOption.Format) {
        self =
            switch format {
            case .text: .text
            case .word: .word
            case .host: .host
            case .url: .issuer
            case .choice(let words): .choice(words)
            case .integer(let range): .integer(range, .none)
            case .words: .list(.word)
            case .urls: .list(.issuer)
            }
    }
}
