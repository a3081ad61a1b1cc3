/// What the body of a request is.
import HTTPWire

extension Request {
    /// Nil when nobody says it, when it is said twice, and when the body is packed: nothing here unpacks it
    /// (RFC 9110 §15.5.16).
    var mediaType: MediaType? { self.onlyType.flatMap { MediaType($0) } }

    /// As nearly all write it, there is nothing to be taken apart.
    var isJSON: Bool { self.onlyType == "application/json" || self.mediaType?.isJSON ?? false }

    private var onlyType: String? {
        let types = self.fields.all(.contentType)
        guard types.count == 1, self.fields[.contentEncoding] == nil else { return nil }
        return types[0]
    }
}
