/// How a body may be packed (RFC 9110 §8.4.1).
package enum ContentCoding: String, Sendable {
    case gzip
    case identity

    /// Whether a client takes it, as the values of Accept-Encoding say (RFC 9110 §12.5.3). Without the field a client
    /// takes anything, but who does not say so gets no gzip here. A malformed field counts as none.
    package func isAccepted(in values: [String]) -> Bool {
        let offers = FieldScanner.list(values) { scanner -> (name: String, quality: Quality)? in
            guard let name = scanner.token(), let quality = Quality(in: &scanner) else { return nil }
            return (name.lowercased(), quality)
        }
        let named = offers?.first { self.names.contains($0.name) } ?? offers?.first { $0.name == "*" }
        guard let named else { return self == .identity }
        return named.quality > .none
    }

    /// RFC 9110 §8.4.1.3: `x-gzip` is the same.
    private var names: [String] {
        switch self {
        case .gzip: ["gzip", "x-gzip"]
        case .identity: ["identity"]
        }
    }
}
