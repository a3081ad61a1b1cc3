/// The settings of a namespace. Its values identify a user whatever the broker.
package final class NamespaceSettings: SettingGroup {
    package let isKeyed = Setting<Bool>(
        "namespaces.*.keyed", .boolean, default: false,
        "Whether the values of the namespace are national numbers. Accounts are then made with keys.person, because a bare hash of such a number is undone by trying all of them."
    )
    package let brokers = Setting<[String]>(
        "namespaces.*.brokers", required: .list(.text),
        "The brokers that may identify users in this namespace. Each of them can log in to every account of the namespace, so a provider of any other broker is refused."
    )

    package static let declared = NamespaceSettings()
}
