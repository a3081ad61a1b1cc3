import Foundation

/// Gets a statement of the device's maker that this app is genuine, for servers that demand one. Use `AppAttestation`
/// on iPhones.
public protocol KeyAttesting: Sendable {
    /// Returns a statement over this hash; nil when the device can make none. The session then begins without one, if
    /// the server allows that.
    func attest(clientDataHash: Data) async throws -> KeyAttestation?
}

/// A statement of Apple about an app.
public struct KeyAttestation: Equatable, Sendable {
    /// The attestation object of App Attest.
    public let object: Data
    /// The id of the key that it is about, decoded: 32 bytes.
    public let keyID: Data

    /// Creates a statement.
    public init(object: Data, keyID: Data) {
        self.object = object
        self.keyID = keyID
    }

    /// The body of the begin.
    var body: Data {
        let (object, keyID) = (Base64URL.encode(self.object), Base64URL.encode(self.keyID))
        let members = #""format":"apple-appattest","attestation_object":"\#(object)","key_id":"\#(keyID)""#
        return Data("{\"attestation\":{\(members)}}".utf8)
    }

    /// What a statement for this login and key covers: SHA-256 of the challenge and the key's thumbprint. The challenge
    /// is the SHA-256 of a prefix and the login's id. Returns nil unless the thumbprint is one.
    static func clientDataHash(login: String, thumbprint: String) -> Data? {
        guard let thumbprint = Base64URL.decode(thumbprint), thumbprint.count == 32 else { return nil }
        return Data(SHA256.hash(SHA256.hash(Array("switchback/attest/1\(login)".utf8)) + thumbprint))
    }
}
