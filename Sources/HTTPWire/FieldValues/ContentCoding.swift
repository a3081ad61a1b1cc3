/// How a body may be compressed (RFC 9110 §8.4.1).
package enum ContentCoding: String, Sendable {
    case gzip
    case identity

    /// Whether a client accepts it, according to Accept-Encoding (RFC 9110 §12.5.3). Without the field a client accepts
    /// anything, but we send gzip only to a client that asks for it. A malformed field counts as absent.
    package func isAccepted(in values: [String]) -> Bool {
        let offers = FieldScanner.list(values) { scanner -> (name: String, quality: Quality)? in
            guard let name = scanner.readToken(), let quality = Quality(in: &scanner) else { return nil }
            return (name.lowercased(), quality)
        }
        let offer = offers?.first { self.names.contains($0.name) } ?? offers?.first { $0.name == "*" }
        guard let offer else { return self == .identity }
        return offer.quality > .none
    }

    /// `x-gzip` is the same as `gzip` (RFC 9110 §8.4.1.3).
    private var names: [String] {
        switch self {
        case .gzip: ["gzip", "x-gzip"]
        case .identity: ["identity"]
        }
    }
}
