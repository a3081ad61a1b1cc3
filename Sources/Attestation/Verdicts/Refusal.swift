/// Why an attestation is refused. The raw values are for logs and metrics.
package enum Refusal: String, Error, CaseIterable, Sendable {
    // The statement as a whole.
    case tooLarge = "too_large"
    case malformedStatement = "malformed_statement"
    case wrongFormat = "wrong_format"
    case malformedThumbprint = "malformed_thumbprint"

    // Its certificates.
    case malformedCertificate = "malformed_certificate"
    case wrongChainLength = "wrong_chain_length"
    case brokenChain = "broken_chain"
    case untrustedRoot = "untrusted_root"
    case wrongSignature = "wrong_signature"
    case issuerNotAuthority = "issuer_not_authority"
    case weakCertificate = "weak_certificate"
    case unknownCriticalExtension = "unknown_critical_extension"
    case invalidChain = "invalid_chain"
    case notYetValid = "not_yet_valid"
    case expired
    case unsupportedKey = "unsupported_key"

    // App Attest.
    case nonceMissing = "nonce_missing"
    case malformedNonce = "malformed_nonce"
    case wrongNonce = "wrong_nonce"
    case malformedAuthenticatorData = "malformed_authenticator_data"
    case wrongApp = "wrong_app"
    case counterNotZero = "counter_not_zero"
    case unknownEnvironment = "unknown_environment"
    case wrongEnvironment = "wrong_environment"
    case wrongCredentialID = "wrong_credential_id"
    case wrongCredentialKey = "wrong_credential_key"
    case wrongKeyID = "wrong_key_id"

    // Android key attestation.
    case revoked
    case suspended
    case statusListMissing = "status_list_missing"
    case statusListTooOld = "status_list_too_old"
    case keyDescriptionMissing = "key_description_missing"
    case keyDescriptionInIssuer = "key_description_in_issuer"
    case malformedKeyDescription = "malformed_key_description"
    case unsupportedVersion = "unsupported_version"
    case unknownAuthorization = "unknown_authorization"
    case wrongChallenge = "wrong_challenge"
    case attestedBySoftware = "attested_by_software"
    case keyInSoftware = "key_in_software"
    case keyForAllApps = "key_for_all_apps"
    case originMissing = "origin_missing"
    case notGenerated = "not_generated"
    case rootOfTrustMissing = "root_of_trust_missing"
    case deviceUnlocked = "device_unlocked"
    case bootNotVerified = "boot_not_verified"
    case applicationIDMissing = "application_id_missing"
    case malformedApplicationID = "malformed_application_id"
    case wrongPackage = "wrong_package"
    case wrongSigner = "wrong_signer"
    case wrongKey = "wrong_key"
}

extension Refusal {
    /// Whether the server's status list is the reason, and the phone cannot help it.
    package var isOfStatusList: Bool { self == .statusListMissing || self == .statusListTooOld }
}

extension Refusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLarge: "The attestation is larger than any that a phone makes."
        case .malformedStatement: "The attestation is not the CBOR that App Attest writes."
        case .wrongFormat: "The attestation object has another format than apple-appattest."
        case .malformedThumbprint: "The thumbprint of the DPoP key is not 32 bytes in base64url."
        case .malformedCertificate: "A certificate cannot be read, or has an extension or a date that cannot be."
        case .wrongChainLength: "The chain has more or fewer certificates than such a chain has."
        case .brokenChain: "A certificate was not issued by the one that follows it."
        case .untrustedRoot: "The chain does not lead to a configured root."
        case .wrongSignature: "A certificate's signature is wrong."
        case .issuerNotAuthority: "A certificate was issued by one that may not issue certificates."
        case .weakCertificate: "A certificate has a key or a digest with less than 112 bits of security."
        case .unknownCriticalExtension: "A certificate has a critical extension that is not known here."
        case .invalidChain: "The chain violates another rule of RFC 5280."
        case .notYetValid: "A certificate is not valid yet."
        case .expired: "A certificate has expired."
        case .unsupportedKey: "The attested key is not on the curve P-256."
        case .nonceMissing: "The certificate has no nonce."
        case .malformedNonce: "The certificate's nonce is not a sequence with 32 bytes."
        case .wrongNonce: "The nonce does not cover this login, this DPoP key and this authenticator data."
        case .malformedAuthenticatorData: "The authenticator data cannot be read."
        case .wrongApp: "The attestation is for another app, or for another team's app of that name."
        case .counterNotZero: "The counter is not zero, so the key was used before it was attested."
        case .unknownEnvironment: "The aaguid is none of App Attest's."
        case .wrongEnvironment: "The attestation comes from an environment that is not allowed."
        case .wrongCredentialID: "The credential id is not the digest of the certificate's key."
        case .wrongCredentialKey: "The authenticator data has another key than the certificate."
        case .wrongKeyID: "The key id that the app sent is not the digest of the certificate's key."
        case .revoked: "A certificate of the chain is revoked."
        case .suspended: "A certificate of the chain is suspended."
        case .statusListMissing: "Attestation is required, and there is no status list."
        case .statusListTooOld:
            "Attestation is required, and the status list is older than a week, or dated in the future."
        case .keyDescriptionMissing: "The certificate has no key description."
        case .keyDescriptionInIssuer: "An issuer is itself an attested key, so an app may have made the certificate."
        case .malformedKeyDescription: "The key description is not the DER that its schema prescribes."
        case .unsupportedVersion: "The key description has a version that is not known here."
        case .unknownAuthorization: "The key description has an authorization that is not known here."
        case .wrongChallenge: "The attestation is for another login."
        case .attestedBySoftware: "The attestation was made by software."
        case .keyInSoftware: "The key is kept by software."
        case .keyForAllApps: "Every app on the phone may use the key."
        case .originMissing: "Secure hardware does not say where the key comes from."
        case .notGenerated: "The key was not generated in secure hardware."
        case .rootOfTrustMissing: "Secure hardware says nothing about what the phone has booted."
        case .deviceUnlocked: "The phone's bootloader is unlocked."
        case .bootNotVerified: "The phone has not booted what its maker signed."
        case .applicationIDMissing: "The key description does not name the app."
        case .malformedApplicationID: "The app's name in the key description cannot be read."
        case .wrongPackage: "The key belongs to another app."
        case .wrongSigner: "The app was signed by somebody else."
        case .wrongKey: "The attested key is not the DPoP key."
        }
    }
}
