import Base

/// The versions of HTTP that we speak (RFC 9112 §2.3).
package enum Version: String, Sendable {
    case http10 = "HTTP/1.0"
    case http11 = "HTTP/1.1"

    init(_ bytes: Span<UInt8>) throws(ParseError) {
        guard bytes.count == 8, bytes.extracting(0..<5).isEqual(to: "HTTP/"), bytes[5].isDigit,
            bytes[6] == UInt8(ascii: "."), bytes[7].isDigit
        else { throw .badRequestLine }
        switch (bytes[5], bytes[7]) {
        case (UInt8(ascii: "1"), UInt8(ascii: "0")): self = .http10
        case (UInt8(ascii: "1"), UInt8(ascii: "1")): self = .http11
        default: throw .unknownVersion
        }
    }
}

extension Version {
    /// Whether the connection may stay open after a message with these fields (RFC 9110 §7.6.1, RFC 9112 §9.3).
    func keepsAlive(_ fields: Fields) -> Bool {
        var asksToStay = false
        var asksToClose = false
        fields.each(.connection) { value in
            // Nearly all clients send this, so it is not parsed.
            if value.utf8.span.isEqualIgnoringCase(to: "keep-alive") {
                asksToStay = true
                return
            }
            for option in value.elements(separatedBy: .comma).lazy.map(\.trimmingBlanks) {
                asksToClose = asksToClose || option.isEqualIgnoringCase(to: "close")
                asksToStay = asksToStay || option.isEqualIgnoringCase(to: "keep-alive")
            }
        }
        return !asksToClose && (self == .http11 || asksToStay)
    }
}
