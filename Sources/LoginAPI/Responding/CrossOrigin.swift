import HTTPWire

/// Tells browsers which pages of other origins may call the API (CORS, Fetch standard).
///
/// CORS protects only users of browsers; it stops no other client. So a request from an unknown origin gets the usual
/// response, and the browser hides it from the page. The API has no cookies, so credentials are never allowed.
struct CrossOrigin: Sendable {
    private static let folders = ["/v1/", "/oauth/"]
    private static let methods = "GET, POST, PUT, DELETE"
    private static let requestFields = "Authorization, Content-Type, Prefer, If-None-Match, Last-Event-ID, DPoP"
    private static let responseFields =
        "ETag, Location, Retry-After, Preference-Applied, DPoP-Nonce, WWW-Authenticate"
    /// Seconds for which a browser may cache a preflight response. Chromium allows at most two hours.
    private static let age = 7200

    /// As browsers write them, byte for byte.
    let origins: Set<String>

    /// The CORS fields of one response.
    struct Headers: Sendable {
        /// Nil if the page may not read the response.
        fileprivate let origin: String?
        fileprivate let isToOptions: Bool
        /// Whether a browser asks before it sends the request itself.
        fileprivate let isPreflight: Bool

        fileprivate init(origin: String?, isToOptions: Bool, isPreflight: Bool) {
            self.origin = origin
            self.isToOptions = isToOptions
            self.isPreflight = isPreflight
        }

        func add(to fields: inout Fields) {
            // Without an Origin too: otherwise a cache could give that response to a page.
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

    /// Returns nil if no origin is configured, and for requests outside the API.
    func headers(to head: RequestHead) -> Headers? {
        guard !self.origins.isEmpty, Self.folders.contains(where: { head.target.path.hasPrefix($0) }) else {
            return nil
        }
        let origins = head.fields.all(.origin)
        return Headers(
            origin: origins.count == 1 && self.origins.contains(origins[0]) ? origins[0] : nil,
            isToOptions: head.method == .options, isPreflight: head.fields["access-control-request-method"] != nil)
    }
}
