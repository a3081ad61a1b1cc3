import Base
import Brokers

/// The byte format of a login: every stored field in one fixed order, format 5.
enum LoginCodec {
    static let format: UInt8 = 5

    static func encode(_ login: Login) -> [UInt8] {
        var writer = ByteWriter(capacity: 512, numbers: .packed)
        writer.write(Self.format)
        writer.write(login.id.bytes)
        writer.write(login.keyID)
        writer.write(login.app)
        writer.write(login.provider)
        writer.write(login.broker)
        writer.write(login.platform?.rawValue)
        writer.write(login.locale)
        writer.write(login.surface?.rawValue)
        writer.write(login.callback?.rawValue)
        writer.write(login.release.rawValue)
        writer.write(login.createdAt.milliseconds)
        writer.write(login.deadline.milliseconds)
        writer.write(login.resultTTL)
        writer.write(login.pollVerifier)
        writer.write(login.bodyVerifier)
        writer.write(login.request)
        writer.write(login.wrappedKey)
        writer.write(login.version)
        writer.write(login.revision)
        StateCodec.write(login.state, to: &writer)
        writer.write(login.attempts.count)
        for attempt in login.attempts {
            writer.write(attempt.id)
            writer.write(attempt.openedAt.milliseconds)
            writer.write(attempt.inFlight)
            writer.write(attempt.pollLeaseUntil?.milliseconds ?? -1)
            writer.write(UInt8(attempt.isShared ? 1 : 0))
        }
        writer.write(UInt8(login.acceptedResponse == nil ? 0 : 1))
        if let response = login.acceptedResponse {
            writer.write(response.attempt)
            writer.write(response.hash)
            writer.write(UInt8(response.isByApp ? 1 : 0))
            writer.write(UInt8(response.hasCookie ? 1 : 0))
            writer.write(UInt8(response.isShared ? 1 : 0))
        }
        writer.write(login.proof?.rawValue)
        writer.write(login.codeTries)
        writer.write(login.resume)
        writer.write(login.hint?.rawValue)
        writer.write(login.returns)
        writer.write(login.switchedAttempt)
        writer.write(login.flags.rawValue)
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8]) throws(ByteReaderError) -> Login {
        var reader = ByteReader(bytes, numbers: .packed)
        guard try reader.readByte() == Self.format, let id = LoginID(try reader.readBytes()) else {
            throw ByteReaderError()
        }
        var login = Login(
            id: id, keyID: try reader.readBytes(), app: try reader.readString(), provider: try reader.readString(),
            broker: try reader.readString(),
            platform: try reader.readOptionalString().flatMap(AuthorizationContext.Platform.init),
            locale: try reader.readOptionalString(),
            surface: try reader.readOptionalString().flatMap(AuthorizationContext.Surface.init),
            callback: try reader.readOptionalString().flatMap(ReturnCallback.init),
            release: try Self.release(&reader), createdAt: try Self.time(&reader), deadline: try Self.time(&reader),
            resultTTL: try reader.readInteger(), pollVerifier: try reader.readBytes(),
            bodyVerifier: try reader.readBytes(),
            request: try reader.readBytes(), wrappedKey: try reader.readBytes())
        login.version = Int(try reader.readInteger())
        login.revision = try reader.readInteger()
        login.state = try StateCodec.read(&reader)
        for _ in 0..<max(0, try reader.readInteger()) {
            var attempt = AuthorizationAttempt(
                id: try reader.readBytes(), openedAt: try Self.time(&reader), inFlight: try reader.readBytes())
            let pollLeaseUntil = try Self.time(&reader)
            attempt.pollLeaseUntil = pollLeaseUntil.milliseconds < 0 ? nil : pollLeaseUntil
            attempt.isShared = try reader.readByte() == 1
            login.attempts.append(attempt)
        }
        if try reader.readByte() == 1 {
            login.acceptedResponse = AcceptedResponse(attempt: try reader.readBytes(), hash: try reader.readBytes())
            login.acceptedResponse?.isByApp = try reader.readByte() == 1
            login.acceptedResponse?.hasCookie = try reader.readByte() == 1
            login.acceptedResponse?.isShared = try reader.readByte() == 1
        }
        login.proof = try Self.proof(&reader)
        login.codeTries = try reader.readByte()
        login.resume = try reader.readBytes()
        login.hint = try reader.readOptionalString().flatMap(Hint.init)
        login.returns = Int(try reader.readInteger())
        login.switchedAttempt = try reader.readBytes()
        login.flags = LoginFlags(rawValue: try reader.readByte())
        guard reader.isAtEnd else { throw ByteReaderError() }
        return login
    }

    static func time(_ reader: inout ByteReader) throws(ByteReaderError) -> Timestamp {
        Timestamp(milliseconds: try reader.readInteger())
    }

    private static func proof(_ reader: inout ByteReader) throws(ByteReaderError) -> SameDeviceProof? {
        guard let text = try reader.readOptionalString() else { return nil }
        guard let proof = SameDeviceProof(rawValue: text) else { throw ByteReaderError() }
        return proof
    }

    private static func release(_ reader: inout ByteReader) throws(ByteReaderError) -> ReleasePolicy {
        guard let release = ReleasePolicy(rawValue: try reader.readByte()) else { throw ByteReaderError() }
        return release
    }
}

/// What a row says of a login in one byte. A server that does not know a flag reads the others as false, which does no
/// harm.
private struct LoginFlags: OptionSet {
    static let isBrowserGone = LoginFlags(rawValue: 1)
    static let wasAnswered = LoginFlags(rawValue: 2)
    static let wasRedeemed = LoginFlags(rawValue: 4)

    let rawValue: UInt8
}

extension Login {
    fileprivate var flags: LoginFlags {
        get {
            var flags: LoginFlags = []
            if self.isBrowserGone { flags.insert(.isBrowserGone) }
            if self.wasAnswered { flags.insert(.wasAnswered) }
            if self.wasRedeemed { flags.insert(.wasRedeemed) }
            return flags
        }
        set {
            self.isBrowserGone = newValue.contains(.isBrowserGone)
            self.wasAnswered = newValue.contains(.wasAnswered)
            self.wasRedeemed = newValue.contains(.wasRedeemed)
        }
    }
}
