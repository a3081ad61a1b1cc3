/// The kinds of body that a client accepts, and how much it prefers each: `text/event-stream, application/json;q=0.5`
/// (RFC 9110 §12.5.1).
package struct MediaRange: Equatable, Sendable {
    /// In lower case: `text/event-stream`, `text/*` or `*/*`.
    private let range: String
    private let quality: Quality

    /// Whether a client names `special` and prefers it at least as much as `usual`. A client that accepts anything has
    /// not asked for `special`. A malformed field counts as absent.
    package static func prefers(_ special: String, to usual: String, in values: [String]) -> Bool {
        guard Self.isMentioned(special, in: values) else { return false }
        let ranges = FieldScanner.list(values) { MediaRange(&$0) } ?? []
        guard let specialQuality = ranges.first(where: { $0.range == special })?.quality, specialQuality > .none else {
            return false
        }
        return specialQuality >= Self.quality(of: usual, in: ranges)
    }

    /// Whether the values contain the text of the type, in any case. `type` is in lower case. Most clients do not mention
    /// the type that a caller asks for, so the whole field need not be read.
    package static func isMentioned(_ type: String, in values: [String]) -> Bool {
        var type = type
        return type.withUTF8 { type in
            values.contains { value in
                let bytes = value.utf8.span
                var start = 0
                while start + type.count <= bytes.count {
                    var length = 0
                    while length < type.count, bytes[start + length].lowercased == type[length] { length += 1 }
                    if length == type.count { return true }
                    start += 1
                }
                return false
            }
        }
    }

    /// If several ranges match, the most specific one decides.
    private static func quality(of essence: String, in ranges: [MediaRange]) -> Quality {
        let type = essence.prefix { $0 != "/" }
        let matches = [essence, "\(type)/*", "*/*"].lazy.compactMap { name in ranges.first { $0.range == name } }
        return matches.first?.quality ?? .none
    }

    private init?(_ scanner: inout FieldScanner) {
        guard let type = scanner.readToken(), scanner.take(.slash), let subtype = scanner.readToken(),
            let quality = Quality(in: &scanner)
        else { return nil }
        self.range = "\(type)/\(subtype)".lowercased()
        self.quality = quality
    }
}
