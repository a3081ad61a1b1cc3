/// The table of all settings, for reading, checking, overriding and printing.
package enum SettingTable {
    package static let all: [SettingRow] =
        (Self.server + Self.tls + Self.postgresql).map(\.row) + LimitSettings.rows + SessionSettings.rows
        + (Self.attestation + Self.apps + Self.brokers + Self.digid + Self.namespaces + Self.providers).map(\.row)

    /// The same as a tree, to compare with a file.
    static let tree = SettingTree(Self.all)
}
