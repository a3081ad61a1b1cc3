import Brokers

/// The table of all settings, for reading, checking, overriding and printing.
package enum SettingTable {
    package static let all: [SettingRow] =
        ServerSettings.rows + Self.tls.map(\.row) + PostgreSQLSettings.rows + LimitSettings.rows + SessionSettings.rows
        + AttestationSettings.rows
        + (Self.apps + Self.with(KnownKind.all.flatMap(\.settings), of: "brokers.*", in: Self.brokers)
        + Self.namespaces
        + Self.with(KnownKind.all.flatMap(\.providerSettings), of: "providers.*", in: Self.providers))
        .map(\.row)

    /// The same as a tree, to compare with a file.
    static let tree = SettingTree(Self.all)
}
