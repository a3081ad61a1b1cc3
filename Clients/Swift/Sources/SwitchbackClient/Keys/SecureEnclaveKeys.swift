#if canImport(Security)
import Foundation
import Security

/// Keeps the keys of sessions in the Secure Enclave, usable after the first unlock, on this device only.
///
/// It exists on Apple's platforms only.
public struct SecureEnclaveKeys: SessionKeyStore {
    private let prefix: String
    private let accessGroup: String?

    /// Creates the store. `prefix` is put in front of the names of its keys in the Keychain. Nil for `accessGroup` means
    /// the app's own.
    public init(prefix: String = "switchback", accessGroup: String? = nil) {
        (self.prefix, self.accessGroup) = (prefix, accessGroup)
    }

    /// Makes the key that signs.
    public func makeKey(_ name: String) async throws(SessionKeyError) -> any SessionKey {
        try EnclaveKey(
            self.make(self.tag(name, "sign"), kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage))
    }

    /// Returns the key that signs; nil when there is none.
    public func key(_ name: String) async throws(SessionKeyError) -> (any SessionKey)? {
        guard let key = try self.find(self.tag(name, "sign")) else { return nil }
        return try EnclaveKey(key)
    }

    /// Makes a wrapping key. Biometrics need a device with a passcode and an enrolled face or finger.
    public func makeWrappingKey(_ name: String, _ purpose: WrappingPurpose) async throws(SessionKeyError)
        -> any WrappingKey
    {
        let tag = self.tag(name, purpose.rawValue)
        switch purpose {
        case .pin:
            return EnclaveWrappingKey(
                key: try self.make(tag, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage))
        case .biometrics:
            return EnclaveWrappingKey(
                key: try self.make(
                    tag, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, [.privateKeyUsage, .biometryCurrentSet]))
        }
    }

    /// Returns a wrapping key; nil when there is none.
    public func wrappingKey(_ name: String, _ purpose: WrappingPurpose) async throws(SessionKeyError)
        -> (any WrappingKey)?
    {
        try self.find(self.tag(name, purpose.rawValue)).map { EnclaveWrappingKey(key: $0) }
    }

    /// Removes all keys with this name.
    public func removeKeys(_ name: String) async {
        for use in ["sign"] + WrappingPurpose.allCases.map(\.rawValue) { self.remove(self.tag(name, use)) }
    }

    private func tag(_ name: String, _ use: String) -> Data { Data("\(self.prefix).\(name).\(use)".utf8) }

    private func remove(_ tag: Data) {
        SecItemDelete(self.query(tag) as CFDictionary)
    }

    /// Removes the keys of every name. Throws if the Keychain cannot be read now.
    func removeAll() throws {
        var query = self.query(nil)
        query[kSecReturnAttributes] = true
        query[kSecMatchLimit] = kSecMatchLimitAll
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status != errSecItemNotFound else { return }
        guard status == errSecSuccess, let items = item as? [[String: Any]] else {
            throw SessionKeyError(code: Int(status))
        }
        for tag in items.compactMap({ $0[kSecAttrApplicationTag as String] as? Data }) where self.isOwn(tag) {
            self.remove(tag)
        }
    }

    /// Whether a tag is the prefix, a name and a use. Another prefix may begin with this one.
    private func isOwn(_ tag: Data) -> Bool {
        let begin = Data("\(self.prefix).".utf8)
        return tag.starts(with: begin) && tag.dropFirst(begin.count).filter { $0 == UInt8(ascii: ".") }.count == 1
    }

    /// Finds one key, or all.
    private func query(_ tag: Data?) -> [CFString: Any] {
        var query: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom]
        if let tag { query[kSecAttrApplicationTag] = tag }
        if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
        return query
    }

    private func make(_ tag: Data, _ accessible: CFString, _ flags: SecAccessControlCreateFlags)
        throws(SessionKeyError) -> SecKey
    {
        self.remove(tag)
        var error: Unmanaged<CFError>?
        guard let access = SecAccessControlCreateWithFlags(nil, accessible, flags, &error) else {
            throw SessionKeyError(error)
        }
        var attributes: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            kSecPrivateKeyAttrs: [
                kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag, kSecAttrAccessControl: access,
            ] as [CFString: Any],
        ]
        if let accessGroup { attributes[kSecAttrAccessGroup] = accessGroup }
        guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, &error) else { throw SessionKeyError(error) }
        return key
    }

    private func find(_ tag: Data) throws(SessionKeyError) -> SecKey? {
        var query = self.query(tag)
        query[kSecReturnRef] = true
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status != errSecItemNotFound else { return nil }
        guard status == errSecSuccess, let item, CFGetTypeID(item) == SecKeyGetTypeID() else {
            throw SessionKeyError(code: Int(status))
        }
        // `as?` cannot tell types of Core Foundation apart; the line above has compared them.
        return unsafeDowncast(item, to: SecKey.self)
    }
}

// Safe because a SecKey never changes.
/// A key in the Secure Enclave that signs the proofs of a session.
private struct EnclaveKey: SessionKey, @unchecked Sendable {
    let key: SecKey
    let publicKey: P256PublicKey

    init(_ key: SecKey) throws(SessionKeyError) {
        var error: Unmanaged<CFError>?
        guard let point = SecKeyCopyPublicKey(key).flatMap({ SecKeyCopyExternalRepresentation($0, &error) }) as Data?,
            let publicKey = P256PublicKey(uncompressedPoint: point)
        else { throw SessionKeyError(error) }
        self.key = key
        self.publicKey = publicKey
    }

    func sign(_ message: Data) async throws(SessionKeyError) -> Data {
        var error: Unmanaged<CFError>?
        guard
            let der = SecKeyCreateSignature(
                self.key, .ecdsaSignatureMessageX962SHA256, message as CFData, &error) as Data?,
            let raw = ECDSASignature.raw(der: der)
        else { throw SessionKeyError(error) }
        return raw
    }
}

// Safe because a SecKey never changes.
/// A key in the Secure Enclave that encrypts what is stored on the device.
private struct EnclaveWrappingKey: WrappingKey, @unchecked Sendable {
    let key: SecKey

    private static let algorithm = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM

    func wrap(_ bytes: Data) async throws(SessionKeyError) -> Data {
        var error: Unmanaged<CFError>?
        guard let publicKey = SecKeyCopyPublicKey(self.key),
            let wrapped = SecKeyCreateEncryptedData(publicKey, Self.algorithm, bytes as CFData, &error) as Data?
        else { throw SessionKeyError(error) }
        return wrapped
    }

    func unwrap(_ bytes: Data) async throws(SessionKeyError) -> Data {
        var error: Unmanaged<CFError>?
        guard let unwrapped = SecKeyCreateDecryptedData(self.key, Self.algorithm, bytes as CFData, &error) as Data?
        else { throw SessionKeyError(error) }
        return unwrapped
    }
}

extension SessionKeyError {
    fileprivate init(_ error: Unmanaged<CFError>?) {
        guard let error = error?.takeRetainedValue() else {
            self = .failed(code: 0)
            return
        }
        let code = CFErrorGetCode(error)
        switch CFErrorGetDomain(error) as String {
        // LAError: userCancel, systemCancel and appCancel. The framework is not imported for three numbers.
        case "com.apple.LocalAuthentication" where [-2, -4, -9].contains(code): self = .cancelled
        // TKError: canceledByUser, and objectNotFound: the Enclave no longer has the key.
        case "CryptoTokenKit" where code == -4: self = .cancelled
        case "CryptoTokenKit" where code == -6: self = .gone
        default: self.init(code: code)
        }
    }

    fileprivate init(code: Int) {
        switch code {
        case Int(errSecItemNotFound): self = .gone
        case Int(errSecInteractionNotAllowed): self = .unavailable
        case Int(errSecUserCanceled): self = .cancelled
        default: self = .failed(code: code)
        }
    }
}
#endif
