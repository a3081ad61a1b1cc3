/// What the body of a request is.
import HTTPWire

extension Request {
    /// Nil when nobody says it, when it is said twice, and when the body is packed: nothing here unpacks it
    /// (RFC 9110 §15.5.16).
    var mediaType: MediaType? { self.onlyType.flatMap { MediaType($0) } }

    /// As nearly all write it, there is nothing to be taken apart.
    var isJSON: Bool { self.onlyType == "application/json" || self.mediaType?.isJSON ?? false }

    private var onlyType: String? {
        self.fields[.contentEncoding] == nil ? self.fields.only(.contentType) : nil
    }
}
