/// The settings of each namespace: of values that name a person whatever the broker.
extension Setting {
    static let namespaces: [Setting] = [
        Setting(
            "namespaces.*.brokers", .list(.text), .required,
            "The brokers that may say who somebody is in this namespace: each of them can log in to every account of it. A provider whose broker is not listed is refused."
        )
    ]
}
