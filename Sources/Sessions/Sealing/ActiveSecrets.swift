import Base
import Logins

/// What the row of a session keeps encrypted.
struct ActiveSecrets {
    let subject: Secret
    let refreshToken: Secret
    /// The secret of the PIN. Nil if none is set.
    let pin: Secret?

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 160)
        writer.write(self.subject.exposed)
        writer.write(self.refreshToken.exposed)
        writer.write(self.pin?.exposed ?? [])
        return writer.bytes
    }

    init(_ active: ActiveSession) {
        self.subject = active.subject
        self.refreshToken = active.refreshToken
        if case .set(let pin) = active.pin { self.pin = pin.secret } else { self.pin = nil }
    }

    init(_ bytes: [UInt8]) throws(ByteReaderError) {
        var reader = ByteReader(bytes)
        self.subject = Secret(try reader.readBytes())
        self.refreshToken = Secret(try reader.readBytes())
        let pin = try reader.readBytes()
        self.pin = pin.isEmpty ? nil : Secret(pin)
        guard reader.isAtEnd else { throw ByteReaderError() }
    }
}
