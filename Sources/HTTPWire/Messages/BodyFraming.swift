/// How the end of a body is known (RFC 9112 §6.3).
package enum BodyFraming: Equatable, Sendable {
    case none
    case length(Int)
    case chunked
    /// Only of a response.
    case untilClose

    /// Of a request.
    init(_ fields: Fields, version: Version, limit: Int) throws(ParseError) {
        self = try Self.stated(fields, version: version, limit: limit) ?? .none
    }

    /// Of the response to a request of this method.
    init(_ fields: Fields, version: Version, status: Status, to method: Method, limit: Int) throws(ParseError) {
        let stated = try Self.stated(fields, version: version, limit: limit)
        guard status.allowsBody, method != .head else {
            self = .none
            return
        }
        self = stated ?? .untilClose
    }

    private static func stated(_ fields: Fields, version: Version, limit: Int) throws(ParseError) -> Self? {
        var length: String?
        try fields.each(.contentLength) { value throws(ParseError) in
            // Two lengths, even equal ones. The RFC lets us repair this; we do not, because whoever sends it hopes
            // that two readers repair it differently (RFC 9112 §11.2).
            guard length == nil else { throw .ambiguousFraming }
            length = value
        }
        guard !fields.has(.transferEncoding) else {
            // HTTP/1.0 knows no codings; whoever sends one to it is faulty (RFC 9112 §6.1).
            guard length == nil, version == .http11 else { throw .ambiguousFraming }
            try Self.checkCodings(fields.all(.transferEncoding))
            return .chunked
        }
        guard let length else { return nil }
        guard let count = Int(digits: length.utf8) else { throw .badContentLength }
        guard count <= limit else { throw .bodyTooLarge }
        return .length(count)
    }

    /// RFC 9112 §6.1: `chunked` once, at the end, and here nothing before it.
    private static func checkCodings(_ values: [String]) throws(ParseError) {
        if values.count == 1, values[0].utf8.span.isEqualIgnoringCase(to: "chunked") { return }
        var codings: [Substring] = []
        for value in values {
            for coding in value.elements(separatedBy: .comma, omittingEmpty: false) {
                let coding = coding.trimmingBlanks
                guard !coding.isEmpty else { throw .badTransferEncoding }
                codings.append(coding)
            }
        }
        // RFC 9112 §6.3: 400, known or not, where it is not `chunked` that tells the end.
        let chunked = codings.firstIndex { $0.isEqualIgnoringCase(to: "chunked") }
        guard chunked == codings.count - 1 else { throw .ambiguousFraming }
        guard codings.count == 1 else { throw .unknownTransferCoding }
    }
}
