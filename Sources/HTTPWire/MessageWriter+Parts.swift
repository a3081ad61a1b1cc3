/// Responses whose length is not known when they begin: in chunks (RFC 9112 §7.1), or to HTTP/1.0 until the connection ends.
extension MessageWriter {
    /// Appends the head; the body comes by `writePart`, and `writeEnd` ends it. The connection of HTTP/1.0 must not be kept
    /// alive. After a failure nothing was written.
    package func writeHead(of response: Response, into output: inout [UInt8]) throws(Failure) {
        try self.writeHead(of: response, self.version == .http11 ? .chunked : .untilClose, &output)
    }

    /// An empty part is none: an empty chunk would be the end.
    package func writePart(_ part: [UInt8], into output: inout [UInt8]) {
        guard !part.isEmpty else { return }
        guard self.version == .http11 else { return output.append(contentsOf: part) }
        output.append(hexadecimal: part.count)
        output.append("\r\n")
        output.append(contentsOf: part)
        output.append("\r\n")
    }

    package func writeEnd(into output: inout [UInt8]) {
        if self.version == .http11 { output.append("0\r\n\r\n") }
    }
}

extension [UInt8] {
    /// Not negative.
    fileprivate mutating func append(hexadecimal number: Int) {
        if number >= 16 { self.append(hexadecimal: number / 16) }
        let digit = UInt8(truncatingIfNeeded: number % 16)
        self.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
}
