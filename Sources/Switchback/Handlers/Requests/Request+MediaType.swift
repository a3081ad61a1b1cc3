/// What the body of a request is.
import HTTPWire

extension Request {
    /// Nil when nobody says it, when it is said twice, and when the body is packed: nothing here unpacks it
    /// (RFC 9110 §15.5.16).
    var mediaType: MediaType? {
        guard let type = self.fields.only(.contentType), !self.fields.has(.contentEncoding) else { return nil }
        return MediaType(type)
    }
}
