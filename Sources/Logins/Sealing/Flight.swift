/// What an opening needs until its callback: sealed while it waits.
import Base
import Brokers
import OpenIDConnect

struct Flight: Sendable {
    let nonce: String
    let codeVerifier: Secret
    /// Kept only where every poll shows it, because the create has opened it.
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
