#if canImport(Security)
/// What the Keychain reported. It exists on Apple's platforms only.
public struct KeychainFailure: Error, Hashable, Sendable {
    /// The number, such as `errSecInteractionNotAllowed`.
    public let status: Int
}
#endif
