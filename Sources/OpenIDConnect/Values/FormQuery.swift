import Base

/// Builds a URL by appending parameters to its query.
struct FormQuery {
    private var bytes: [UInt8] = []
    /// The byte before the next parameter.
    private var separator: UInt8?

    /// Keeps the query that the endpoint already has (RFC 6749 §3.1).
    init(of endpoint: borrowing EndpointURL) {
        // Makes room for a request object, so that the bytes need not move later.
        self.bytes.reserveCapacity(2048)
        self.bytes += endpoint.text.utf8
        self.separator =
            switch endpoint.query {
            case nil: UInt8(ascii: "?")
            case ""?: nil
            case _?: UInt8(ascii: "&")
            }
    }

    mutating func append(_ name: String, _ value: String) {
        self.separate()
        FormEncoding.write(name, value, .uri, into: &self.bytes)
    }

    /// A signed object has only letters, digits, `-`, `_` and dots (RFC 7515 §7.1), which need no escape.
    mutating func append(request object: [UInt8]) {
        self.separate()
        self.bytes += "request=".utf8
        self.bytes += object
    }

    var url: String { String(decoding: self.bytes, as: UTF8.self) }

    private mutating func separate() {
        if let separator = self.separator { self.bytes.append(separator) }
        self.separator = UInt8(ascii: "&")
    }
}
