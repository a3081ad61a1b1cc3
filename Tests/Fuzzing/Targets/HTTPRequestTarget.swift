import HTTPWire

/// Requests as the bytes of a connection: the same however they are split, and well-formed if they are accepted.
enum HTTPRequestTarget {
    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        let whole = Transcript(input, piecesOf: .max)
        // Pieces of one byte take long, and the longest inputs find nothing that shorter ones do not.
        for size in input.count < 4096 ? [1, 7] : [97] {
            try require(Transcript(input, piecesOf: size) == whole, "cut into pieces of \(size), it reads otherwise")
        }
        for message in whole.messages { try self.check(message) }
        return whole.messages.contains(where: \.isWhole) ? .accepted : .refused
    }

    /// Checks what a proxy in front of us relies on.
    private static func check(_ message: Transcript.Message) throws(Violation) {
        let fields = message.head.fields
        let lengths = fields.all(.contentLength).count + fields.all(.transferEncoding).count
        try require(lengths <= 1, "two answers to where the body ends")
        let hosts = fields.all(.host).count
        try require(hosts == 1 || (hosts == 0 && message.head.version == .http10), "not one host")
        for field in fields {
            let controls = field.value.unicodeScalars.contains { ($0.value < 32 && $0 != "\t") || $0.value == 127 }
            try require(!controls, "a control character in a field")
            try self.checkValue(field.value)
        }
        // Compare byte by byte, as every other reader does.
        if message.head.framing == .chunked {
            let coding = Array((fields[.transferEncoding] ?? "").utf8)
            try require(coding.map { $0 | 0x20 } == Array("chunked".utf8), "another coding passes for chunked")
        }
        guard message.isWhole, case .length(let length) = message.head.framing else { return }
        try require(message.body.count == length, "a body of another length")
    }

    /// A field's value may be anything, so nearly the only check is that its readers end.
    private static func checkValue(_ text: String) throws(Violation) {
        _ = Preference.wait(in: [text])
        _ = EntityTag.List([text])
        _ = LanguageRange.list([text])
        _ = ContentCoding.gzip.isAccepted(in: [text])
        _ = MediaType(text)
        _ = ForwardedAddress.forwarded([text])
        _ = ForwardedAddress.xForwardedFor([text])
        guard let address = IPAddress(text) else { return }
        try require(IPAddress(address.description) == address, "an address that was written reads otherwise")
    }
}
