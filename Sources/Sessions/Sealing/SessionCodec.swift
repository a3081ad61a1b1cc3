import Base
import Logins

/// The byte format of a session: every stored field in one fixed order, format 1.
enum SessionCodec {
    static let format: UInt8 = 1

    private static let activeState: UInt8 = 1
    private static let endedState: UInt8 = 2

    /// `seal` encrypts what the row must not show.
    static func encode(_ session: Session, seal: ([UInt8]) -> [UInt8]) -> [UInt8] {
        var writer = ByteWriter(capacity: 512)
        writer.write(Self.format)
        writer.write(session.id.bytes)
        writer.write(session.app)
        writer.write(session.revision)
        switch session.state {
        case .active(let active):
            writer.write(Self.activeState)
            Self.write(active, to: &writer)
            writer.write(seal(ActiveSecrets(active).bytes))
        case .ended(let time, let loginsUntil):
            writer.write(Self.endedState)
            writer.write(time.milliseconds)
            writer.write(loginsUntil.milliseconds)
        }
        return writer.bytes
    }

    /// `open` decrypts what `seal` encrypted, or returns nil.
    static func decode(_ bytes: [UInt8], open: ([UInt8]) -> [UInt8]?) throws(ByteReaderError) -> Session {
        var reader = ByteReader(bytes)
        guard try reader.readByte() == Self.format, let id = SessionID(try reader.readBytes()) else {
            throw ByteReaderError()
        }
        let app = try reader.readString()
        let revision = try reader.readInteger()
        let state: Session.State
        switch try reader.readByte() {
        case Self.activeState: state = .active(try Self.active(&reader, open: open))
        case Self.endedState: state = .ended(at: try Self.time(&reader), loginsUntil: try Self.time(&reader))
        default: throw ByteReaderError()
        }
        guard reader.isAtEnd else { throw ByteReaderError() }
        var session = Session(id: id, app: app, state: state)
        session.revision = revision
        return session
    }
}

// MARK: - The fields of a session that has not ended

extension SessionCodec {
    private static func write(_ active: ActiveSession, to writer: inout ByteWriter) {
        writer.write(active.thumbprint)
        writer.write(active.createdAt.milliseconds)
        writer.write(active.platform)
        self.write(active.login, to: &writer)
        writer.write(active.level.rawValue)
        self.write(active.usedAt, to: &writer)
        self.write(active.unlockedAt, to: &writer)
        writer.write(active.endsAt.milliseconds)
        writer.write(active.attestation.rawValue)
        switch active.pin {
        case .none: writer.write(UInt8(0))
        case .set(let pin):
            writer.write(UInt8(1))
            writer.write(pin.wrongInARow)
            writer.write(pin.wrongInAll)
            writer.write(pin.id)
        case .lockedOut: writer.write(UInt8(2))
        }
        writer.write(UInt8(active.lastAttempt == nil ? 0 : 1))
        if let attempt = active.lastAttempt {
            writer.write(attempt.nonceTime.milliseconds)
            writer.write(attempt.hash)
            writer.write(UInt8(attempt.isRight ? 1 : 0))
        }
    }

    private static func active(
        _ reader: inout ByteReader, open: ([UInt8]) -> [UInt8]?
    ) throws(ByteReaderError) -> ActiveSession {
        let thumbprint = try reader.readString()
        let createdAt = try self.time(&reader)
        let platform = try reader.readOptionalString()
        let login = try self.login(&reader)
        guard let level = SessionLevel(rawValue: try reader.readString()) else { throw ByteReaderError() }
        let usedAt = try self.optionalTime(&reader)
        let unlockedAt = try self.optionalTime(&reader)
        let endsAt = try self.time(&reader)
        guard let attestation = SessionAttestation(rawValue: try reader.readByte()) else { throw ByteReaderError() }
        let pin = try self.pin(&reader)
        let lastAttempt = try self.attempt(&reader)
        guard let bytes = open(try reader.readBytes()) else { throw ByteReaderError() }
        let secrets = try ActiveSecrets(bytes)
        return ActiveSession(
            subject: secrets.subject, thumbprint: thumbprint, refreshToken: secrets.refreshToken, createdAt: createdAt,
            platform: platform, login: login, level: level, usedAt: usedAt, unlockedAt: unlockedAt, endsAt: endsAt,
            attestation: attestation, pin: try pin.state(secrets.pin), lastAttempt: lastAttempt)
    }

    private static func write(_ login: SessionLogin, to writer: inout ByteWriter) {
        writer.write(login.provider)
        writer.write(login.acr)
        writer.write(login.amr.count)
        for method in login.amr { writer.write(method) }
        self.write(login.authTime, to: &writer)
        writer.write(login.proof.rawValue)
        writer.write(login.completedAt.milliseconds)
    }

    private static func login(_ reader: inout ByteReader) throws(ByteReaderError) -> SessionLogin {
        let provider = try reader.readString()
        let acr = try reader.readOptionalString()
        var amr: [String] = []
        for _ in 0..<max(0, try reader.readInteger()) { amr.append(try reader.readString()) }
        let authTime = try self.optionalTime(&reader)
        guard let proof = SameDeviceProof(rawValue: try reader.readString()) else { throw ByteReaderError() }
        return SessionLogin(
            provider: provider, acr: acr, amr: amr, authTime: authTime, proof: proof,
            completedAt: try self.time(&reader))
    }

    /// The state of a PIN without its secret.
    private struct PINFields {
        let kind: UInt8
        var wrongInARow = 0
        var wrongInAll = 0
        var id: String?

        func state(_ secret: Secret?) throws(ByteReaderError) -> ActiveSession.PIN {
            switch self.kind {
            case 0: return .none
            case 1:
                guard var pin = secret.flatMap({ PINSecret($0, id: self.id) }) else { throw ByteReaderError() }
                pin.wrongInARow = self.wrongInARow
                pin.wrongInAll = self.wrongInAll
                return .set(pin)
            case 2: return .lockedOut
            default: throw ByteReaderError()
            }
        }
    }

    private static func pin(_ reader: inout ByteReader) throws(ByteReaderError) -> PINFields {
        var fields = PINFields(kind: try reader.readByte())
        guard fields.kind == 1 else { return fields }
        guard let wrongInARow = Int32(exactly: try reader.readInteger()),
            let wrongInAll = Int32(exactly: try reader.readInteger())
        else { throw ByteReaderError() }
        fields.wrongInARow = Int(wrongInARow)
        fields.wrongInAll = Int(wrongInAll)
        fields.id = try reader.readOptionalString()
        return fields
    }

    private static func attempt(_ reader: inout ByteReader) throws(ByteReaderError) -> PINAttempt? {
        guard try reader.readByte() == 1 else { return nil }
        return PINAttempt(
            nonceTime: try self.time(&reader), hash: try reader.readBytes(), isRight: try reader.readByte() == 1)
    }
}

// MARK: - Times

extension SessionCodec {
    private static func write(_ time: Timestamp?, to writer: inout ByteWriter) {
        writer.write(UInt8(time == nil ? 0 : 1))
        if let time { writer.write(time.milliseconds) }
    }

    private static func optionalTime(_ reader: inout ByteReader) throws(ByteReaderError) -> Timestamp? {
        try reader.readByte() == 1 ? try self.time(&reader) : nil
    }

    private static func time(_ reader: inout ByteReader) throws(ByteReaderError) -> Timestamp {
        Timestamp(milliseconds: try reader.readInteger())
    }
}
