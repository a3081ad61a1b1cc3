/// The kinds of body that a client accepts, and how much it prefers each: `text/event-stream, application/json;q=0.5`
/// (RFC 9110 §12.5.1).
package struct MediaRange: Equatable, Sendable {
    /// In lower case: `text/event-stream`, `text/*` or `*/*`.
    private let range: String
    private let quality: Quality

    /// Whether a client names `special` and prefers it at least as much as `usual`. A client that accepts anything has
    /// not asked for `special`. A malformed field counts as absent.
    package static func prefers(_ special: String, to usual: String, in values: [String]) -> Bool {
        let ranges = FieldScanner.list(values) { MediaRange(&$0) } ?? []
        guard let wanted = ranges.first(where: { $0.range == special })?.quality, wanted > .none else { return false }
        return wanted >= Self.quality(of: usual, in: ranges)
    }

    /// If several ranges match, the most specific one decides.
    private static func quality(of essence: String, in ranges: [MediaRange]) -> Quality {
        let type = essence.prefix { $0 != "/" }
        let fitting = [essence, "\(type)/*", "*/*"].lazy.compactMap { name in ranges.first { $0.range == name } }
        return fitting.first?.quality ?? .none
    }

    private init?(_ scanner: inout FieldScanner) {
        guard let type = scanner.readToken(), scanner.take(.slash), let subtype = scanner.readToken(),
            let quality = Quality(in: &scanner)
        else { return nil }
        self.range = "\(type)/\(subtype)".lowercased()
        self.quality = quality
    }
}
