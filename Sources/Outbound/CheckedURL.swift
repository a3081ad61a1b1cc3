import CCurl

/// A URL that the settings allow. libcurl parses it both for our checks and for the request, so no two parsers
/// disagree.
final class CheckedURL {
    let handle: OpaquePointer
    /// Lower case, without brackets.
    let host: String
    let isPlain: Bool

    init(_ text: String, settings: OutboundSettings) throws(OutboundError) {
        // A C string ends at the first NUL, so libcurl would use less than the whole text.
        guard !text.utf8.contains(0), let handle = curl_url() else { throw .refused("not a URL") }
        self.handle = handle
        let code = text.withCString { curl_url_set(handle, CURLUPART_URL, $0, UInt32(CURLU_DISALLOW_USER)) }
        let scheme = Self.part(CURLUPART_SCHEME, of: handle)
        let host = Self.part(CURLUPART_HOST, of: handle).map(Self.normal)
        let zone = Self.part(CURLUPART_ZONEID, of: handle)
        self.host = host ?? ""
        self.isPlain = scheme == "http"

        guard code == CURLUE_OK, let host, !host.isEmpty, zone == nil else { throw .refused("not a URL") }
        guard scheme == "https" || scheme == "http" else { throw .refused("scheme not allowed") }
        guard settings.allowedHosts.contains(where: { Self.normal($0) == host }) else {
            throw .refused("host not allowed: \(printable(host))")
        }
        let mayBePlain =
            (settings.allowInsecureLoopback && Self.isLoopbackName(host)) || settings.insecureHosts.contains(host)
        guard scheme == "https" || mayBePlain else {
            throw .refused("http not allowed: \(printable(host))")
        }
    }

    deinit { curl_url_cleanup(self.handle) }

    private static func part(_ what: CURLUPart, of handle: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, what, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    private static func normal(_ host: String) -> String {
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        return bare.lowercased()
    }

    /// Checks the name only. The address is checked whenever a connection is opened.
    private static func isLoopbackName(_ host: String) -> Bool {
        host == "localhost" || host == "::1"
            || (host.hasPrefix("127.") && host.allSatisfy { $0 == "." || $0.isNumber })
    }
}
