/// The byte format of a login: every stored field in one fixed order, format 4.
import Base
import Brokers

enum LoginCodec {
    static let format: UInt8 = 4

    static func encode(_ login: Login) -> [UInt8] {
        var writer = ByteWriter(capacity: 512)
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
        writer.write(login.openings.count)
        for opening in login.openings {
            writer.write(opening.id)
            writer.write(opening.openedAt.milliseconds)
            writer.write(opening.flight)
            writer.write(opening.walkedUntil?.milliseconds ?? -1)
            writer.write(UInt8(opening.isShared ? 1 : 0))
        }
        writer.write(UInt8(login.taken == nil ? 0 : 1))
        if let taken = login.taken {
            writer.write(taken.opening)
            writer.write(taken.hash)
            writer.write(UInt8(taken.isByApp ? 1 : 0))
            writer.write(UInt8(taken.hasCookie ? 1 : 0))
            writer.write(UInt8(taken.isShared ? 1 : 0))
        }
        writer.write(login.proof?.rawValue)
        writer.write(login.codeTries)
        writer.write(login.resume)
        writer.write(login.hint?.rawValue)
        writer.write(login.returns)
        writer.write(login.switched)
        writer.write(UInt8(login.isBrowserGone ? 1 : 0))
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8]) throws(ByteReaderError) -> Login {
        var reader = ByteReader(bytes)
        guard try reader.byte() == Self.format, let id = LoginID(try reader.bytes()) else {
            throw ByteReaderError()
        }
        var login = Login(
            id: id, keyID: try reader.bytes(), app: try reader.string(), provider: try reader.string(),
            broker: try reader.string(),
            platform: try reader.optionalString().flatMap(Visit.Platform.init),
            locale: try reader.optionalString(),
            surface: try reader.optionalString().flatMap(Visit.Surface.init),
            callback: try reader.optionalString().flatMap(ReturnCallback.init),
            release: try Self.release(&reader), createdAt: try Self.time(&reader), deadline: try Self.time(&reader),
            resultTTL: try reader.integer(), pollVerifier: try reader.bytes(), bodyVerifier: try reader.bytes(),
            request: try reader.bytes(), wrappedKey: try reader.bytes())
        login.version = Int(try reader.integer())
        login.revision = try reader.integer()
        login.state = try StateCodec.read(&reader)
        for _ in 0..<max(0, try reader.integer()) {
            var opening = Opening(
                id: try reader.bytes(), openedAt: try Self.time(&reader), flight: try reader.bytes())
            let walkedUntil = try Self.time(&reader)
            opening.walkedUntil = walkedUntil.milliseconds < 0 ? nil : walkedUntil
            opening.isShared = try reader.byte() == 1
            login.openings.append(opening)
        }
        if try reader.byte() == 1 {
            login.taken = TakenResponse(opening: try reader.bytes(), hash: try reader.bytes())
            login.taken?.isByApp = try reader.byte() == 1
            login.taken?.hasCookie = try reader.byte() == 1
            login.taken?.isShared = try reader.byte() == 1
        }
        login.proof = try Self.proof(&reader)
        login.codeTries = try reader.byte()
        login.resume = try reader.bytes()
        login.hint = try reader.optionalString().flatMap(Hint.init)
        login.returns = Int(try reader.integer())
        login.switched = try reader.bytes()
        login.isBrowserGone = try reader.byte() == 1
        guard reader.isAtEnd else { throw ByteReaderError() }
        return login
    }

    static func time(_ reader: inout ByteReader) throws(ByteReaderError) -> Timestamp {
        Timestamp(milliseconds: try reader.integer())
    }

    private static func proof(_ reader: inout ByteReader) throws(ByteReaderError) -> Proof? {
        guard let text = try reader.optionalString() else { return nil }
        guard let proof = Proof(rawValue: text) else { throw ByteReaderError() }
        return proof
    }

    private static func release(_ reader: inout ByteReader) throws(ByteReaderError) -> Release {
        guard let release = Release(rawValue: try reader.byte()) else { throw ByteReaderError() }
        return release
    }
}
