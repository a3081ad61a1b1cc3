import Attestation
import Base
import Cryptography

/// Attestation objects of App Attest, and their authenticator data alone: only what the example's root signed is
/// accepted, for the example's app, key and login.
enum AppAttestTarget {
    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        let data = try Self.checkData(input)
        guard let object = try? AttestationObject(parsing: input) else { return data ? .accepted : .refused }
        guard let roots = AttestationExample.appleRoots else { throw Violation("no root") }
        let parsed = try? AuthenticatorData(parsing: object.authenticatorData)
        let verdict = AppAttestVerifier(
            roots: roots, apps: [AttestationExample.app], environments: [.production]
        ).verify(
            input, keyID: parsed?.credentialID ?? [], challenge: AttestationExample.challenge,
            thumbprint: AttestationExample.thumbprint, at: AttestationExample.now)
        guard case .accepted = verdict else { return .refused }
        guard let parsed else { throw Violation("accepted without authenticator data") }
        let app = Digest.sha256.hash(Array(AttestationExample.app.utf8))
        try require(object.authenticatorData.starts(with: app + [0x40, 0, 0, 0, 0]), "accepted for another app")
        try require(parsed.credentialID == Digest.sha256.hash(parsed.publicKey), "accepted with another key")
        try require(object.authenticatorData == AttestationExample.authenticatorData, "nobody signed this")
        return .accepted
    }

    /// Returns whether the input is authenticator data.
    private static func checkData(_ input: [UInt8]) throws(Violation) -> Bool {
        guard let data = try? AuthenticatorData(parsing: input) else { return false }
        try require(data.publicKey.count == 65 && data.aaguid.count == 16, "a field has another length")
        try require(input.starts(with: data.rpIDHash), "the app is another one")
        try require((try? AuthenticatorData(parsing: input.dropLast())) == nil, "it is complete without its end")
        return true
    }
}
