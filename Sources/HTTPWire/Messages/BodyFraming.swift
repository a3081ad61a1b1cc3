import Base

/// How the end of a body is determined (RFC 9112 §6.3).
package enum BodyFraming: Equatable, Sendable {
    case none
    case length(Int)
    case chunked
    /// For responses only.
    case untilClose

    /// Returns the framing of a request.
    init(_ fields: Fields, version: Version, limit: Int) throws(ParseError) {
        self = try Self.stated(fields, version: version, limit: limit) ?? .none
    }

    static func stated(_ fields: Fields, version: Version, limit: Int) throws(ParseError) -> Self? {
        var length: String?
        try fields.each(.contentLength) { value throws(ParseError) in
            // There are two lengths, perhaps equal ones. The RFC lets us repair this. We do not, because the sender may
            // hope that two readers repair it differently (RFC 9112 §11.2).
            guard length == nil else { throw .ambiguousFraming }
            length = value
        }
        guard !fields.has(.transferEncoding) else {
            // HTTP/1.0 has no codings, so a sender that uses one is faulty (RFC 9112 §6.1).
            guard length == nil, version == .http11 else { throw .ambiguousFraming }
            try Self.checkCodings(fields.all(.transferEncoding))
            return .chunked
        }
        guard let length else { return nil }
        guard let count = Int(digits: length.utf8) else { throw .badContentLength }
        guard count <= limit else { throw .bodyTooLarge }
        return .length(count)
    }

    /// Allows `chunked` once, at the end (RFC 9112 §6.1), and here nothing before it.
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
        // RFC 9112 §6.3 requires 400 if `chunked` does not determine the end, whether we know the coding or not.
        let chunked = codings.firstIndex { $0.isEqualIgnoringCase(to: "chunked") }
        guard chunked == codings.count - 1 else { throw .ambiguousFraming }
        guard codings.count == 1 else { throw .unknownTransferCoding }
    }
}
