/// Why a provider's metadata or keys are not available.
package enum ProviderDirectoryError: Error, Equatable, Sendable {
    case fetch(FetchError)
    case status(Int)
    case tooLarge
    case metadata(ProviderMetadataError)
    /// Not a key set.
    case keySet
    /// A key set without a key that we can use.
    case noUsableKey
    /// The caller was cancelled or had no time before an unknown key could cause a fetch, or a browser's `state` has
    /// caused one already.
    case throttled

    /// Whether the document is no longer, or not yet, where we looked for it.
    var isGone: Bool {
        guard case .status(let status) = self else { return false }
        return ProviderResponse.isGone(status)
    }

    package var raw: String {
        switch self {
        case .fetch(let error): "directory_\(error.raw)"
        case .status(let status): "directory_status_\(status)"
        case .tooLarge: "directory_too_large"
        case .metadata(let failure): failure.raw
        case .keySet: "keys_malformed"
        case .noUsableKey: "keys_none_usable"
        case .throttled: "keys_throttled"
        }
    }
}
