/// Who asks for a login, beside what is asked for.
package struct Caller: Sendable {
    /// Of the device, as this server sees it.
    package let address: String?
    /// Whether the app's own backend asks, which has shown the app's key.
    package let hasKey: Bool

    package init(address: String? = nil, hasKey: Bool = false) {
        self.address = address
        self.hasKey = hasKey
    }
}
