import HTTPWire
import LoginAPI

/// X-Forwarded-For and Forwarded, one field per line: whatever a client writes there, the address that counts is the
/// one that the proxy in front of us adds.
enum ForwardedTarget {
    private static let proxy = IPAddress(v4: 0x0A00_0001)
    private static let client = IPAddress(v4: 0xC000_0207)

    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        let lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var values: [String] = []
        for line in lines {
            // Bytes that are not a field value do not get this far.
            guard line.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 }),
                let text = String(validating: line, as: UTF8.self)
            else { return .refused }
            values.append(text)
        }
        try self.checkAppended(values, .xForwardedFor, "192.0.2.7")
        try self.checkAppended(values, .forwarded, "for=192.0.2.7")
        let named = ForwardedAddress.xForwardedFor(values) + ForwardedAddress.forwarded(values)
        for address in named {
            guard let address else { continue }
            try require(IPAddress(address.description) == address, "an address that was written reads otherwise")
        }
        // Lines with the same name are one list (RFC 9110 §5.3).
        let joined = ForwardedAddress.xForwardedFor([values.joined(separator: ",")])
        try require(joined == ForwardedAddress.xForwardedFor(values), "in one line it reads otherwise")
        return named.contains { $0 != nil } ? .accepted : .refused
    }

    /// A proxy adds a line, or continues the last one. The last one may contain text that has no end; then we believe
    /// no address.
    private static func checkAppended(
        _ values: [String], _ header: TrustedProxy.Header, _ element: String
    ) throws(Violation) {
        let line = self.seen(values + [element], header)
        try require(line == self.client, "a line that the proxy added does not count")
        let longer = self.seen(values.dropLast() + ["\(values.last ?? ""), \(element)"], header)
        try require(longer == self.client || longer == self.proxy, "somebody else counts")
    }

    private static func seen(_ values: [String], _ header: TrustedProxy.Header) -> IPAddress {
        let peers = TrustedPeer("10.0.0.0/8").map { [$0] } ?? []
        var fields = Fields()
        for value in values { fields.add(header == .forwarded ? .forwarded : .xForwardedFor, value) }
        return TrustedProxy(header, peers: peers).client(of: fields, from: self.proxy)
    }
}
