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

    /// What an answer says to browsers.
    struct Words: Sendable {
        /// Nil for a page that may not read it.
        fileprivate let origin: String?
        fileprivate let isToOptions: Bool
        /// Asked by a browser before the request itself.
        fileprivate let isPreflight: Bool

        func add(to fields: inout Fields) {
            // Also without an Origin, or a cache would give that answer to a page.
            fields.vary(on: .origin)
            guard let origin else { return }
            fields[.accessControlAllowOrigin] = origin
            guard self.isToOptions else {
                fields["access-control-expose-headers"] = CrossOrigin.responseFields
                return
            }
            guard self.isPreflight else { return }
            fields["access-control-allow-methods"] = CrossOrigin.methods
            fields["access-control-allow-headers"] = CrossOrigin.requestFields
            fields["access-control-max-age"] = String(CrossOrigin.age)
        }
    }

    /// Nil where nothing is said: to requests that are none of the API's.
    func words(to head: RequestHead) -> Words? {
        guard !self.origins.isEmpty, head.target.path.hasPrefix(Self.folder) else { return nil }
        let named = head.fields.all(.origin)
        return Words(
            origin: named.count == 1 && self.origins.contains(named[0]) ? named[0] : nil,
            isToOptions: head.method == .options, isPreflight: head.fields["access-control-request-method"] != nil)
    }
}
