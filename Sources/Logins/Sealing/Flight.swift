/// What an opening needs until its callback: sealed while it waits.
import JOSE
import OpenIDConnect

struct Flight: Sendable {
    let nonce: String
    let codeVerifier: Secret
    /// The authorize URL, kept only for `authorize: direct`, where every poll shows it.
    var url: String?

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 128)
        writer.write(self.nonce)
        writer.write(self.codeVerifier.exposed)
        writer.write(self.url)
        return writer.bytes
    }

    init(_ challenge: Challenge, url: String? = nil) {
        self.nonce = challenge.nonce
        self.codeVerifier = challenge.codeVerifier
        self.url = url
    }

    init(_ bytes: [UInt8]) throws(ByteReader.Malformed) {
        var reader = ByteReader(bytes)
        self.nonce = try reader.string()
        self.codeVerifier = Secret(try reader.bytes())
        self.url = try reader.optionalString()
    }

    func challenge(state: String) -> Challenge {
        Challenge(state: state, nonce: self.nonce, codeVerifier: self.codeVerifier)
    }
}
