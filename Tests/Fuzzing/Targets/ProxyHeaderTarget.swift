import HTTPWire

/// The PROXY header at the start of a connection: the same however it is split, and we never wait for it without end.
enum ProxyHeaderTarget {
    private enum Reading: Equatable {
        case unfinished
        case header(ProxyHeader)
        case refused(ProxyHeaderError)

        init(_ bytes: some Collection<UInt8>) {
            do throws(ProxyHeaderError) {
                self = try ProxyHeader.read(Array(bytes)).map { .header($0) } ?? .unfinished
            } catch {
                self = .refused(error)
            }
        }
    }

    /// Longer than any header.
    private static let limit = 16 + 4096

    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        let whole = Reading(input)
        // Every split takes long, and after the longest header there is nothing to find.
        let end = min(input.count, self.limit + 1)
        for cut in stride(from: 0, to: end, by: end < 256 ? 1 : 89) {
            try self.check(Reading(input.prefix(cut)), ofFirst: cut, whole)
        }
        switch whole {
        case .unfinished: try require(input.count < self.limit, "it is waited for without end")
        case .header(let header): try self.check(header, input)
        case .refused: break
        }
        guard case .header(let header) = whole, header.client != nil else { return .refused }
        return .accepted
    }

    /// The result for a beginning must agree with the result for the whole.
    private static func check(_ part: Reading, ofFirst cut: Int, _ whole: Reading) throws(Violation) {
        switch (part, whole) {
        case (.unfinished, .header(let header)): try require(cut < header.length, "it is whole, and bytes are missing")
        case (.unfinished, _): break
        case (.header, _), (.refused, _): try require(part == whole, "with more behind it, it reads otherwise")
        }
    }

    private static func check(_ header: ProxyHeader, _ input: [UInt8]) throws(Violation) {
        try require(header.length <= input.count, "longer than what came")
        try require(Reading(input.prefix(header.length)) == .header(header), "it needs what follows")
        try require(Reading(input.prefix(header.length - 1)) == .unfinished, "it is whole without its last byte")
        guard let client = header.client else { return }
        let family = client.isV4 ? "TCP4 \(client) 192.0.2.1" : "TCP6 \(client) ::1"
        let again = Reading(Array("PROXY \(family) 0 65535\r\n".utf8))
        guard case .header(let other) = again else { throw Violation("what was written is not read") }
        try require(other.client == client, "what was written reads otherwise")
    }
}
