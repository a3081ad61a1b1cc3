/// The target of a request (RFC 9112 §3.2).
package struct Target: Hashable, Sendable {
    package enum Form: Hashable, Sendable {
        /// `/path?query`.
        case origin
        /// `http://host/path?query`. Its host takes precedence over the Host field (RFC 9112 §3.2.2).
        case absolute
        /// `host:port`, only for CONNECT.
        case authority
        /// `*`, only for OPTIONS.
        case asterisk
    }

    /// The target as sent.
    package let raw: String
    package let form: Form
    /// The path as sent, including percent signs. It is `*` or empty in the forms that have none.
    package let path: String
    /// The query without its question mark; nil if there is no question mark.
    package let query: String?

    /// The parts between the slashes of the path, including empty ones.
    package var segments: [Substring] { self.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) }

    /// Returns nil if no request of this method can have this target.
    package init?(_ text: String, of method: Method = .get) {
        guard let target = try? Target(text.utf8.span, of: method) else { return nil }
        self = target
    }

    init(_ bytes: Span<UInt8>, of method: Method) throws(ParseError) {
        guard !bytes.isEmpty else { throw .badRequestLine }
        if method == .connect {
            guard Authority.isValid(bytes, needsPort: true) else { throw .badTarget }
            self.init(raw: String(ascii: bytes), form: .authority, path: "", query: nil)
        } else if bytes[0] == .slash {
            try self.init(bytes, pathFrom: 0, form: .origin)
        } else if bytes.isEqual(to: "*") {
            guard method == .options else { throw .badTarget }
            self.init(raw: "*", form: .asterisk, path: "*", query: nil)
        } else {
            try self.init(bytes, pathFrom: Self.endOfAuthority(bytes), form: .absolute)
        }
    }

    private init(raw: String, form: Form, path: String, query: String?) {
        self.raw = raw
        self.form = form
        self.path = path
        self.query = query
    }

    private init(_ bytes: Span<UInt8>, pathFrom start: Int, form: Form) throws(ParseError) {
        let end = try Self.endOfPath(bytes, from: start)
        let raw = String(ascii: bytes)
        let isWhole = start == 0 && end == bytes.count
        // An empty path is the same as `/` (RFC 9110 §4.2.3).
        let path = isWhole ? raw : start == end ? "/" : String(ascii: bytes.extracting(start..<end))
        let query = end < bytes.count ? String(ascii: bytes.extracting((end + 1)...)) : nil
        self.init(raw: raw, form: form, path: path, query: query)
    }

    /// Returns where the path ends and the query, if any, begins. Checks all bytes.
    private static func endOfPath(_ bytes: Span<UInt8>, from start: Int) throws(ParseError) -> Int {
        var end = start
        while end < bytes.count, bytes[end] != .questionMark {
            if bytes[end] == .percent {
                guard bytes.isEscape(at: end) else { throw .badTarget }
            } else if !bytes[end].isPath {
                throw .badTarget
            }
            end += 1
        }
        for index in end..<bytes.count where !bytes[index].isQuery { throw .badTarget }
        return end
    }

    private static func endOfAuthority(_ bytes: Span<UInt8>) throws(ParseError) -> Int {
        guard let colon = bytes.firstIndex(of: .colon), colon + 3 <= bytes.count else { throw .badTarget }
        let scheme = bytes.extracting(0..<(colon + 3))
        guard scheme.isEqualIgnoringCase(to: "http://") || scheme.isEqualIgnoringCase(to: "https://") else {
            throw .badTarget
        }
        var end = scheme.count
        while end < bytes.count, bytes[end] != .slash, bytes[end] != .questionMark { end += 1 }
        guard Authority.isValid(bytes.extracting(scheme.count..<end)) else { throw .badTarget }
        return end
    }
}
