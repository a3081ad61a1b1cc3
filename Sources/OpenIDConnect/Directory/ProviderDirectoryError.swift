/// Why a provider's metadata or keys are not available.
package enum ProviderDirectoryError: Error, Equatable, Sendable {
    case fetch(FetchError)
    case status(Int)
    case tooLarge
    case contentType
    case metadata(ProviderMetadataError)
    /// Not a key set.
    case keySet
    /// A key set without a key that we can use.
    case noUsableKey
    /// The caller was cancelled before an unknown `kid` could cause a fetch.
    case throttled

    package var raw: String {
        switch self {
        case .fetch(let error): "directory_\(error.raw)"
        case .status(let status): "directory_status_\(status)"
        case .tooLarge: "directory_too_large"
        case .contentType: "directory_content_type"
        case .metadata(let failure): failure.raw
        case .keySet: "keys_malformed"
        case .noUsableKey: "keys_none_usable"
        case .throttled: "keys_throttled"
        }
    }
}
