/// Who asks for a login, beside what is asked for.
package struct Caller: Sendable {
    /// Of the device, as this server sees it. Written only for a broker that is told it.
    package let address: @Sendable () -> String?
    /// Whether the app's own backend asks, which has shown the app's key.
    package let hasKey: Bool

    package init(address: @autoclosure @escaping @Sendable () -> String? = nil, hasKey: Bool = false) {
        self.address = address
        self.hasKey = hasKey
    }
}
