/// The in-flight values of an authorization attempt, which the row stores encrypted until the callback.
import Base
import Brokers
import OpenIDConnect

struct Flight: Sendable {
    let nonce: String
    let codeVerifier: Secret
    /// Set only if the attempt's link goes to the app, because then every poll shows it.
    var target: Departure.Target?
    var trip: Trip?

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 128)
        writer.write(self.nonce)
        writer.write(self.codeVerifier.exposed)
        FlightCodec.write(self.target, to: &writer)
        writer.write(self.trip?.encoded() ?? [])
        return writer.bytes
    }

    init(_ challenge: Challenge, _ departure: Departure, keepsTarget: Bool) {
        self.nonce = challenge.nonce
        self.codeVerifier = challenge.codeVerifier
        self.target = keepsTarget ? departure.target : nil
        self.trip = departure.trip
    }

    init(_ bytes: [UInt8]) throws(ByteReaderError) {
        var reader = ByteReader(bytes)
        self.nonce = try reader.string()
        self.codeVerifier = Secret(try reader.bytes())
        self.target = try FlightCodec.target(&reader)
        self.trip = Trip(encoded: try reader.bytes())
    }

    func challenge(state: String) -> Challenge {
        Challenge(state: state, nonce: self.nonce, codeVerifier: self.codeVerifier)
    }
}
