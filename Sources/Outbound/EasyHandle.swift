import Base
import CCurl
import Glibc

/// One request as libcurl takes it. We set every option that we rely on, and leave none to a default.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    let url: CheckedURL
    private let errorText: UnsafeMutablePointer<CChar>
    private var fieldLines: UnsafeMutablePointer<curl_slist>?
    private let sessions: TLSSessions?

    /// `transfer` must outlive the handle. Without `sessions`, each new connection makes a full TLS handshake.
    init(_ transfer: Transfer, resuming sessions: TLSSessions?) throws(OutboundError) {
        self.url = try CheckedURL(transfer.request.url, settings: transfer.settings)
        guard let raw = curl_easy_init() else { throw .broken("no handle") }
        self.raw = raw
        self.sessions = sessions
        self.errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        self.errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))

        try self.setScheme()
        try self.setTLS(transfer.settings)
        try self.setLimits(transfer)
        try self.setRequest(transfer.request, userAgent: transfer.settings.userAgent)
        try self.setCallbacks(transfer)
    }

    deinit {
        curl_easy_cleanup(self.raw)
        curl_slist_free_all(self.fieldLines)
        self.errorText.deallocate()
    }

    var status: Int { switchback_curl_response_code(self.raw) }

    /// When the server's certificate ends, in seconds since 1970. Nil unless this request opened the connection.
    var certificateExpiry: Int? {
        guard let text = switchback_curl_certificate_expiry(self.raw) else { return nil }
        return DateText.seconds(in: String(cString: text))
    }

    /// How many bytes of the request's head were given to the socket.
    var sentCount: Int { switchback_curl_request_size(self.raw) }

    /// libcurl's text about the last failure.
    var detail: String { String(cString: self.errorText) }

    /// Hands the body over as it comes, whatever `Content-Encoding` says. libcurl asks for this setting whenever it has
    /// read a part of the body, so it may be changed at the end of the head.
    func passBodyOnUndecoded() { _ = switchback_curl_set_long(self.raw, CURLOPT_HTTP_CONTENT_DECODING, 0) }

    // MARK: - Options

    private func setScheme() throws(OutboundError) {
        try self.check(switchback_curl_set_url(self.raw, self.url.handle))
        try self.set(CURLOPT_PROTOCOLS_STR, self.url.isPlain ? "http" : "https")
        // HTTP/2 failed now and then with some servers, and one broken connection would fail all requests on it.
        try self.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        try self.set(CURLOPT_HTTP09_ALLOWED, 0)
        try self.set(CURLOPT_FOLLOWLOCATION, 0)
        try self.set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        // We use no proxy, even if the environment names one: it would see who logs in where.
        try self.set(CURLOPT_PROXY, "")
        try self.set(CURLOPT_NOSIGNAL, 1)
        // Otherwise a transfer that ends while its name is being resolved blocks the loop until the resolver gives up.
        try self.set(CURLOPT_QUICK_EXIT, 1)
    }

    private func setTLS(_ settings: OutboundSettings) throws(OutboundError) {
        try self.set(CURLOPT_SSL_VERIFYPEER, 1)
        try self.set(CURLOPT_SSL_VERIFYHOST, 2)
        try self.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if settings.readsCertificate { try self.set(CURLOPT_CERTINFO, 1) }
        try self.setClientCertificate(settings)
        try self.setSessions()
        guard let caFile = settings.caFile ?? Self.systemCAFile else { return }
        try self.set(CURLOPT_CAINFO, caFile)
        // Debian's libcurl also reads the system's directory unless told not to. Then it would parse all authorities
        // again for each connection, which takes longer than a login.
        try self.check(switchback_curl_set_text(self.raw, CURLOPT_CAPATH, nil))
        // In seconds. A change of the system's authorities counts after this time.
        try self.set(CURLOPT_CA_CACHE_TIMEOUT, 3600)
    }

    /// The system's authorities in one file. Nil if libcurl knows no such file or we cannot read it.
    private static let systemCAFile: String? = {
        guard let path = curl_version_info(CURLVERSION_SEVENTH)?.pointee.cainfo, access(path, R_OK) == 0 else {
            return nil
        }
        return String(cString: path)
    }()

    private func setSessions() throws(OutboundError) {
        try self.set(CURLOPT_SSL_SESSIONID_CACHE, self.sessions == nil ? 0 : 1)
        guard let sessions = self.sessions else { return }
        try self.check(switchback_curl_set_pointer(self.raw, CURLOPT_SHARE, sessions.raw))
    }

    private func setClientCertificate(_ settings: OutboundSettings) throws(OutboundError) {
        guard let certificateFile = settings.clientCertificateFile, let keyFile = settings.clientKeyFile else { return }
        try self.set(CURLOPT_SSLCERT, certificateFile)
        try self.set(CURLOPT_SSLKEY, keyFile)
        // If a key gets a password after the start, the request fails and OpenSSL does not ask on the terminal.
        try self.set(CURLOPT_KEYPASSWD, "")
    }

    private func setLimits(_ transfer: Transfer) throws(OutboundError) {
        try self.set(CURLOPT_TIMEOUT_MS, transfer.request.deadline.wholeMilliseconds)
        try self.set(CURLOPT_CONNECTTIMEOUT_MS, transfer.settings.connectTimeout.wholeMilliseconds)
        // Checks Content-Length. `Transfer` counts the bytes, because that field may be missing or wrong.
        let limit = curl_off_t(max(1, transfer.sentLimit))
        try self.check(switchback_curl_set_size(self.raw, CURLOPT_MAXFILESIZE_LARGE, limit))
        try self.set(CURLOPT_NOPROGRESS, 0)
        try self.set(CURLOPT_MAXLIFETIME_CONN, Self.longestLife)
        if !transfer.settings.keepsConnections { try self.set(CURLOPT_FORBID_REUSE, 1) }
    }

    private func setRequest(_ request: OutboundRequest, userAgent: String) throws(OutboundError) {
        switch request.delivery {
        // If a connection that was open before ends just now, nobody knows whether the request arrived. So it gets a
        // new one, on which libcurl repeats nothing.
        case .atMostOnce: try self.set(CURLOPT_FRESH_CONNECT, 1)
        case .idempotent: try self.set(CURLOPT_MAXAGE_CONN, Self.longestIdleTime)
        }
        switch request.method {
        case .get: try self.set(CURLOPT_HTTPGET, 1)
        case .post: try self.setBody(request)
        case .put:
            try self.setBody(request)
            try self.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        case .delete: try self.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
        // We ask for no coding. Whoever compresses all the same is still understood: libcurl then decodes the body
        // (gzip, deflate, br, zstd, and several of them one after the other).
        try self.set(CURLOPT_ACCEPT_ENCODING, "identity")
        try self.addLine(Self.line("User-Agent", userAgent))
        // libcurl would wait for a "100 Continue" that many servers never send.
        try self.addLine("Expect:")
        for field in request.fields { try self.addLine(Self.line(field.name, field.value)) }
        try self.check(switchback_curl_set_pointer(self.raw, CURLOPT_HTTPHEADER, self.fieldLines))
    }

    private func setBody(_ request: OutboundRequest) throws(OutboundError) {
        let body = request.body
        try self.set(CURLOPT_POST, 1)
        // The size comes first: libcurl copies that many bytes.
        try self.check(switchback_curl_set_size(self.raw, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
        guard !body.isEmpty else { return try self.set(CURLOPT_COPYPOSTFIELDS, "") }
        let code = body.withUnsafeBytes {
            switchback_curl_set_pointer(self.raw, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
        }
        try self.check(code)
    }

    private func setCallbacks(_ transfer: Transfer) throws(OutboundError) {
        let owner = Unmanaged.passUnretained(transfer).toOpaque()
        try self.check(switchback_curl_set_pointer(self.raw, CURLOPT_PRIVATE, owner))
        try self.check(switchback_curl_set_pointer(self.raw, CURLOPT_ERRORBUFFER, self.errorText))
        try self.check(switchback_curl_set_pointer(self.raw, CURLOPT_HEADERDATA, owner))
        try self.check(
            switchback_curl_set_writer(self.raw, CURLOPT_HEADERFUNCTION) { bytes, size, count, owner in
                Transfer.take(bytes, size, count, owner) { $0.takeHeadLine($1) }
            })
        try self.check(switchback_curl_set_pointer(self.raw, CURLOPT_WRITEDATA, owner))
        try self.check(
            switchback_curl_set_writer(self.raw, CURLOPT_WRITEFUNCTION) { bytes, size, count, owner in
                Transfer.take(bytes, size, count, owner) { $0.takeBody($1) }
            })
        try self.check(switchback_curl_set_pointer(self.raw, CURLOPT_XFERINFODATA, owner))
        try self.check(
            switchback_curl_set_progress(self.raw) { owner, _, receivedCount, _, _ in
                guard let owner else { return 1 }
                return Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue().takeSent(Int(receivedCount)) ? 0 : 1
            })
        try self.check(switchback_curl_set_pointer(self.raw, CURLOPT_OPENSOCKETDATA, owner))
        try self.check(
            switchback_curl_set_socket_opener(self.raw) { owner, _, address in
                guard let owner, let address else { return CURL_SOCKET_BAD }
                return Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue().openSocket(address)
            })
    }

    // MARK: - Setters

    private func set(_ option: CURLoption, _ value: Int) throws(OutboundError) {
        try self.check(switchback_curl_set_long(self.raw, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) throws(OutboundError) {
        guard !value.utf8.contains(0) else { throw .refused("NUL in a setting") }
        try self.check(switchback_curl_set_text(self.raw, option, value))
    }

    private func check(_ code: CURLcode) throws(OutboundError) {
        // We rely on every option, so we fail if this libcurl does not know one.
        guard code == CURLE_OK else { throw .broken(String(cString: curl_easy_strerror(code))) }
    }

    private func addLine(_ line: String) throws(OutboundError) {
        guard let longer = curl_slist_append(self.fieldLines, line) else { throw .broken("no memory") }
        self.fieldLines = longer
    }

    /// Refuses bytes that would end the line (RFC 9110 §5.5), and fields that libcurl sets.
    private static func line(_ name: String, _ value: String) throws(OutboundError) -> String {
        let isToken = !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: ":") }
        let isClean = value.utf8.allSatisfy { $0 != 0 && $0 != 0x0a && $0 != 0x0d }
        guard isToken, isClean, !self.reserved.contains(name.lowercased()) else { throw .refused("field not allowed") }
        // libcurl would omit a field that has a colon and nothing after it.
        return value.isEmpty ? "\(name);" : "\(name): \(value)"
    }

    /// In seconds. Shorter than the idle time of usual servers, so that a request seldom meets a connection that is being
    /// closed.
    private static let longestIdleTime = 50
    /// In seconds. So we follow a server that moves to another address, even if its connections are never idle.
    private static let longestLife = 120

    private static let reserved: Set<String> = [
        "host", "connection", "content-length", "transfer-encoding", "expect", "accept-encoding",
    ]
}

/// Converts a duration for libcurl.
extension Duration {
    /// At least 1, because 0 means "no limit" to libcurl, and at most a day.
    fileprivate var wholeMilliseconds: Int {
        let milliseconds = self / .milliseconds(1)
        return Int(min(max(milliseconds.rounded(.up), 1), 86_400_000))
    }
}
