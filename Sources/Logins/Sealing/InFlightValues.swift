import Base
import Brokers
import OpenIDConnect

/// The in-flight values of an authorization attempt, which the row stores encrypted until the callback.
struct InFlightValues: Sendable {
    let nonce: String
    let codeVerifier: Secret
    /// Set only if the attempt's link goes to the app, because then every poll shows it.
    var target: AuthorizationStart.Target?
    var transaction: BackchannelTransaction?

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 128)
        writer.write(self.nonce)
        writer.write(self.codeVerifier.exposed)
        InFlightCodec.write(self.target, to: &writer)
        writer.write(self.transaction?.encoded() ?? [])
        return writer.bytes
    }

    init(_ challenge: Challenge, _ authorizationStart: AuthorizationStart, keepsTarget: Bool) {
        self.nonce = challenge.nonce
        self.codeVerifier = challenge.codeVerifier
        self.target = keepsTarget ? authorizationStart.target : nil
        self.transaction = authorizationStart.transaction
    }

    init(_ bytes: [UInt8]) throws(ByteReaderError) {
        var reader = ByteReader(bytes)
        self.nonce = try reader.readString()
        self.codeVerifier = Secret(try reader.readBytes())
        self.target = try InFlightCodec.target(&reader)
        self.transaction = BackchannelTransaction(encoded: try reader.readBytes())
    }

    func challenge(state: String) -> Challenge {
        Challenge(state: state, nonce: self.nonce, codeVerifier: self.codeVerifier)
    }
}
