/// Every setting: the table that everything else is made from, reading, checking, overriding and printing.
package enum SettingTable {
    package static let all =
        Self.server + Self.tls + Self.postgresql + Self.limits + Self.apps + Self.brokers + Self.digid + Self.namespaces
        + Self.providers

    /// The same as a tree, to walk along a file with.
    static let tree = SettingTree(Self.all)
}
