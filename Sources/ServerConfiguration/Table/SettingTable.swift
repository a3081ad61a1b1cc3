import Brokers

/// The table of all settings, for reading, checking, overriding and printing.
package enum SettingTable {
    package static let all =
        Self.server + Self.tls + Self.postgresql + Self.limits + Self.sessions + Self.attestation + Self.apps
        + Self.with(KnownKind.all.flatMap(\.settings), of: "brokers.*", in: Self.brokers) + Self.namespaces
        + Self.with(KnownKind.all.flatMap(\.providerSettings), of: "providers.*", in: Self.providers)

    /// The same as a tree, to compare with a file.
    static let tree = SettingTree(Self.all)
}
