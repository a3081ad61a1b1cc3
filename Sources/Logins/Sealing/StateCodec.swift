/// The byte format of a login's state.
enum StateCodec {
    static func write(_ state: Login.State, to writer: inout ByteWriter) {
        switch state {
        case .pending:
            writer.write(UInt8(0))
        case .exchanging(let exchange):
            writer.write(UInt8(1))
            Self.write(exchange, to: &writer)
        case .awaitingReturn(let outcome, let until):
            writer.write(UInt8(2))
            Self.write(outcome, to: &writer)
            writer.write(until.milliseconds)
        case .completed(let outcome):
            writer.write(UInt8(3))
            Self.write(outcome, to: &writer)
        case .failed(let reason, let keepUntil):
            writer.write(UInt8(4))
            writer.write(reason.rawValue)
            writer.write(keepUntil.milliseconds)
        case .cancelled(let reason, let keepUntil):
            writer.write(UInt8(5))
            writer.write(reason.rawValue)
            writer.write(keepUntil.milliseconds)
        case .expired(let keepUntil):
            writer.write(UInt8(6))
            writer.write(keepUntil.milliseconds)
        case .gone(let status, let until):
            writer.write(UInt8(7))
            Self.write(status, to: &writer)
            writer.write(until.milliseconds)
        }
    }

    static func read(_ reader: inout ByteReader) throws(ByteReaderError) -> Login.State {
        switch try reader.readByte() {
        case 0: .pending
        case 1: .exchanging(try Self.exchange(&reader))
        case 2: .awaitingReturn(try Self.outcome(&reader), until: try LoginCodec.time(&reader))
        case 3: .completed(try Self.outcome(&reader))
        case 4: .failed(try Self.reason(&reader), keepUntil: try LoginCodec.time(&reader))
        case 5: .cancelled(try Self.reason(&reader), keepUntil: try LoginCodec.time(&reader))
        case 6: .expired(keepUntil: try LoginCodec.time(&reader))
        case 7: .gone(try Self.tombstoneStatus(&reader), until: try LoginCodec.time(&reader))
        default: throw ByteReaderError()
        }
    }

    private static func write(_ status: TombstoneStatus, to writer: inout ByteWriter) {
        switch status {
        case .delivered:
            writer.write(UInt8(0))
        case .unclaimed:
            writer.write(UInt8(1))
        case .failed(let reason):
            writer.write(UInt8(2))
            writer.write(reason.rawValue)
        case .cancelled(let reason):
            writer.write(UInt8(3))
            writer.write(reason.rawValue)
        case .expired:
            writer.write(UInt8(4))
        }
    }

    private static func tombstoneStatus(_ reader: inout ByteReader) throws(ByteReaderError) -> TombstoneStatus {
        switch try reader.readByte() {
        case 0: .delivered
        case 1: .unclaimed
        case 2: .failed(try Self.reason(&reader))
        case 3: .cancelled(try Self.reason(&reader))
        case 4: .expired
        default: throw ByteReaderError()
        }
    }

    private static func write(_ exchange: Login.Exchange, to writer: inout ByteWriter) {
        writer.write(exchange.attempt)
        writer.write(exchange.openedAt.milliseconds)
        writer.write(exchange.acceptedAt.milliseconds)
        writer.write(exchange.fencingToken)
        writer.write(exchange.tries)
        writer.write(exchange.leaseUntil.milliseconds)
        writer.write(exchange.holder)
        writer.write(exchange.inFlight)
        writer.write(exchange.code)
        writer.write(exchange.tokenResponse ?? [])
    }

    private static func exchange(_ reader: inout ByteReader) throws(ByteReaderError) -> Login.Exchange {
        var exchange = Login.Exchange(
            attempt: try reader.readBytes(), openedAt: try LoginCodec.time(&reader),
            acceptedAt: try LoginCodec.time(&reader), fencingToken: Int(try reader.readInteger()),
            tries: Int(try reader.readInteger()), leaseUntil: try LoginCodec.time(&reader),
            holder: try reader.readString(), inFlight: try reader.readBytes(), code: try reader.readBytes())
        let answer = try reader.readBytes()
        exchange.tokenResponse = answer.isEmpty ? nil : answer
        return exchange
    }

    private static func write(_ outcome: SealedOutcome, to writer: inout ByteWriter) {
        writer.write(outcome.sealed)
        writer.write(outcome.proof.rawValue)
        writer.write(outcome.keepUntil.milliseconds)
    }

    private static func outcome(_ reader: inout ByteReader) throws(ByteReaderError) -> SealedOutcome {
        let sealed = try reader.readBytes()
        guard let proof = SameDeviceProof(rawValue: try reader.readString()) else { throw ByteReaderError() }
        return SealedOutcome(sealed: sealed, proof: proof, keepUntil: try LoginCodec.time(&reader))
    }

    private static func reason(_ reader: inout ByteReader) throws(ByteReaderError) -> Reason {
        guard let reason = Reason(rawValue: try reader.readString()) else { throw ByteReaderError() }
        return reason
    }
}
