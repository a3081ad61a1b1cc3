// The keys of a session: one signs, and up to two wrap what the PIN needs.

import Foundation

/// A P-256 key that cannot leave the device. It signs every DPoP proof of a session.
public protocol SessionKey: Sendable {
    /// The public key.
    var publicKey: P256PublicKey { get }

    /// Signs the SHA-256 of a message with ECDSA, and returns r and s with 32 bytes each (RFC 7518 §3.4).
    func sign(_ message: Data) async throws(SessionKeyError) -> Data
}

/// A key that encrypts what is stored on the device, so that it is useless elsewhere.
public protocol WrappingKey: Sendable {
    /// Encrypts.
    func wrap(_ bytes: Data) async throws(SessionKeyError) -> Data

    /// Decrypts what `wrap` returned.
    func unwrap(_ bytes: Data) async throws(SessionKeyError) -> Data
}

/// What a wrapping key is for.
public enum WrappingPurpose: String, CaseIterable, Sendable {
    /// The secret that the PIN masks. The key works without the user.
    case pin
    /// The same secret for biometrics. The system asks for face or finger before the key decrypts, and destroys the key
    /// when the enrolled faces or fingers change.
    case biometrics
}

/// Makes, finds and removes the keys of sessions. Use `SecureEnclaveKeys` on iPhones.
///
/// A name stands for one key that signs, and one key for each wrapping purpose.
public protocol SessionKeyStore: Sendable {
    /// Makes the key that signs, in place of an older one with this name.
    func makeKey(_ name: String) async throws(SessionKeyError) -> any SessionKey

    /// Returns the key that signs; nil when there is none, which means that it is gone.
    func key(_ name: String) async throws(SessionKeyError) -> (any SessionKey)?

    /// Makes a wrapping key, in place of an older one. Throws `unavailable` on a device that cannot have one.
    func makeWrappingKey(_ name: String, _ purpose: WrappingPurpose) async throws(SessionKeyError) -> any WrappingKey

    /// Returns a wrapping key; nil when there is none.
    func wrappingKey(_ name: String, _ purpose: WrappingPurpose) async throws(SessionKeyError) -> (any WrappingKey)?

    /// Removes all keys with this name. It is no error when there are none.
    func removeKeys(_ name: String) async
}

/// Why a key could not be used.
public enum SessionKeyError: Error, Hashable, Sendable {
    /// The key no longer exists, and never will again.
    case gone
    /// The key cannot be used now, such as before the first unlock of the device, or the device has no such keys.
    case unavailable
    /// The user dismissed the system's question.
    case cancelled
    /// Anything else, with the system's number. Try again.
    case failed(code: Int)

    /// Whether the key is lost for good. Only then is a session signed out.
    public var isGone: Bool { self == .gone }
}
