import Cryptography
import Attestation
import Base

/// Chains of Android key attestations, as a CBOR array of certificates: only what the example's root signed is
/// accepted, for the example's app, key and login.
enum KeyAttestationTarget {
    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        guard let items = try? CBOR(parsing: input).array else { return .refused }
        guard let roots = AttestationExample.googleRoots else { throw Violation("no root") }
        let chain = items.compactMap(\.bytes)
        let verdict = KeyAttestationVerifier(
            roots: roots, apps: [AttestationExample.androidApp], requirement: .optional, statusList: nil
        ).verify(
            chain, challenge: AttestationExample.challenge, thumbprint: AttestationExample.keyThumbprint,
            at: AttestationExample.now)
        guard case .accepted = verdict else { return .refused }
        guard let leaf = chain.first.flatMap({ Certificate(der: $0) }),
            let description = try? KeyDescription(of: leaf)
        else { throw Violation("accepted without a key description") }
        try require(description.challenge == AttestationExample.challenge, "accepted for another login")
        try require(description.keyLevel >= .trustedEnvironment, "accepted from software")
        return .accepted
    }
}
