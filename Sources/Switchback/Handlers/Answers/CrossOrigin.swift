/// Which pages of other origins a browser lets call the API, by the CORS protocol of the Fetch standard.
///
/// It guards nobody but people with a browser: whoever else sends a request is not held up. So a request of an unknown
/// origin is answered as any other, and the browser keeps the answer from the page. There are no cookies here that it
/// could send, so credentials are never allowed.
import HTTPWire

struct CrossOrigin: Sendable {
    private static let folder = "/v1/"
    private static let methods = "GET, POST, DELETE"
    private static let requestFields = "Authorization, Content-Type, Prefer, If-None-Match, Last-Event-ID"
    private static let responseFields = "ETag, Location, Retry-After, Preference-Applied"
    /// Seconds for which a browser need not ask again; two hours is the most that Chromium takes.
    private static let age = 7200

    /// As browsers write them, byte for byte.
    let origins: Set<String>

    /// What an answer of the API says to browsers; other answers say nothing.
    func add(to fields: inout Fields, for head: RequestHead) {
        guard !self.origins.isEmpty, head.target.path.hasPrefix(Self.folder) else { return }
        // Also without an Origin, or a cache would give that answer to a page.
        fields.vary(on: .origin)
        let named = head.fields.all(.origin)
        guard named.count == 1, self.origins.contains(named[0]) else { return }
        fields[.accessControlAllowOrigin] = named[0]
        guard head.method == .options else {
            fields["access-control-expose-headers"] = Self.responseFields
            return
        }
        guard head.fields["access-control-request-method"] != nil else { return }
        fields["access-control-allow-methods"] = Self.methods
        fields["access-control-allow-headers"] = Self.requestFields
        fields["access-control-max-age"] = String(Self.age)
    }
}
