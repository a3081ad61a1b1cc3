/// The ways in which a text is not a JWT that a provider signed for us to read.
import JOSE

extension JWTForm {
    package enum Broken: String, Error, CaseIterable, Sendable {
        /// Not a compact token within the limits (RFC 7515 §7.1, RFC 7516 §7.1), or with a critical header.
        case malformed
        /// Encrypted, which was not agreed.
        case encrypted
        /// Not encrypted, which was agreed: else whoever strips the encryption off would not be noticed.
        case notEncrypted
        /// Not one of those that we decrypt.
        case encryptionAlgorithm
        /// To a key that is none of ours.
        case encryptionKey
        case decryption
        /// A JWT for another purpose (RFC 8725 §3.11).
        case type
        /// `none`, or not one that the provider may use.
        case algorithm
        /// The provider's keys could not be had: worth another try.
        case keysUnavailable
        /// No key of the provider fits, nor one of a set fetched anew.
        case unknownKey
        /// Several keys fit, and the token names none (Core 10.1).
        case ambiguousKey
        case signature
        /// The payload is not a JSON object.
        case claims
    }
}

extension JWTForm.Broken {
    init(_ failure: JWSError) {
        switch failure {
        case .tooLarge, .malformed, .criticalHeader: self = .malformed
        case .algorithmNotAllowed: self = .algorithm
        case .unknownKey: self = .unknownKey
        case .ambiguousKey: self = .ambiguousKey
        case .badSignature: self = .signature
        case .badClaims: self = .claims
        }
    }

    init(_ failure: JWEError) {
        switch failure {
        case .tooLarge, .malformed, .criticalHeader: self = .malformed
        case .algorithmNotAllowed: self = .encryptionAlgorithm
        case .unknownKey: self = .encryptionKey
        case .decryption: self = .decryption
        }
    }
}
