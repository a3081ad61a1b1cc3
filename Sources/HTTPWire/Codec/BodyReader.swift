/// Takes a body from the bytes that arrive, according to its framing (RFC 9112 §6 and §7).
enum BodyReader: Sendable {
    enum Piece {
        case needsBytes
        case bytes([UInt8])
        case end
    }

    case length(remaining: Int)
    indirect case chunked(ChunkedBody)
    case untilClose(remaining: Int)

    /// Returns nil if there is no body to read.
    init?(_ framing: BodyFraming, limits: MessageLimits) {
        switch framing {
        case .none, .length(0): return nil
        case .length(let length): self = .length(remaining: length)
        case .chunked: self = .chunked(ChunkedBody(limits: limits))
        case .untilClose: self = .untilClose(remaining: limits.body)
        }
    }

    mutating func read(_ buffer: inout ReceiveBuffer) throws(ParseError) -> Piece {
        switch self {
        case .length(0): return .end
        case .length(let remaining):
            guard buffer.count > 0 else { return .needsBytes }
            let bytes = buffer.take(atMost: remaining)
            self = .length(remaining: remaining - bytes.count)
            return .bytes(bytes)
        case .chunked(var body):
            defer { self = .chunked(body) }
            return try body.read(&buffer)
        case .untilClose(let remaining):
            guard buffer.count > 0 else { return .needsBytes }
            guard remaining > 0 else { throw .bodyTooLarge }
            let bytes = buffer.take(atMost: remaining)
            self = .untilClose(remaining: remaining - bytes.count)
            return .bytes(bytes)
        }
    }
}
