import Brokers

/// The request that a DigiD resolver made: an accepted id is an `xs:ID`, and stands in the request as it is.
///
/// The input is the XML, or its form in a link: deflated, in base64.
enum SAMLRequestTarget {
    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        let inLink = String(validating: input, as: UTF8.self).flatMap(SAMLRequestID.read)
        guard let id = inLink ?? SAMLRequestID.read(xml: input) else { return .refused }
        let bytes = Array(id.utf8)
        try require((1...256).contains(bytes.count), "an id of another length")
        try require(bytes.allSatisfy(Self.isAllowed), "an id of other characters")
        try require(!bytes[0].isDigit && bytes[0] != 0x2D && bytes[0] != 0x2E, "an id that begins otherwise")
        guard inLink == nil else { return .accepted }
        let quoted = [[0x22] + bytes + [0x22], [0x27] + bytes + [0x27]]
        try require(quoted.contains { input.firstRange(of: $0) != nil }, "an id that is not there")
        return .accepted
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || byte.isDigit || [0x2D, 0x2E, 0x5F].contains(byte)
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
