import CSSL

// Safe because the bytes are written once, before the object is shared.
/// One key for session tickets: its name, a key for AES-256 and a key for HMAC-SHA-256.
final class TicketKey: @unchecked Sendable {
    static let nameLength = 16
    private static let keyLength = 32
    /// Fetched once, because libcrypto would search for it at each use. Safe because no code changes it.
    private nonisolated(unsafe) static let cipher = EVP_CIPHER_fetch(nil, "AES-256-CBC", nil)

    /// When the key was made, in seconds of the clock of `TicketKeys`.
    let since: Int64
    private let bytes: UnsafeMutableRawBufferPointer

    init?(since: Int64) {
        self.since = since
        self.bytes = .allocate(byteCount: Self.nameLength + 2 * Self.keyLength, alignment: 1)
        guard RAND_priv_bytes(self.bytes.baseAddress, Int32(self.bytes.count)) == 1 else { return nil }
    }

    deinit {
        OPENSSL_cleanse(self.bytes.baseAddress, self.bytes.count)
        self.bytes.deallocate()
    }

    var name: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self.bytes[..<Self.nameLength]) }

    func isNamed(_ name: UnsafeRawBufferPointer) -> Bool { self.name.elementsEqual(name) }

    /// Prepares to encrypt a ticket, with a fresh initialization vector.
    func seal(_ vector: UnsafeMutablePointer<UInt8>, _ cipher: OpaquePointer, _ code: OpaquePointer) -> Bool {
        guard let algorithm = Self.cipher else { return false }
        return RAND_bytes(vector, EVP_CIPHER_get_iv_length(algorithm)) == 1
            && EVP_EncryptInit_ex(cipher, algorithm, nil, self.cipherKey, vector) == 1 && self.beginCipher(code)
    }

    /// Prepares to decrypt a ticket. OpenSSL checks its MAC before it decrypts anything.
    func open(_ vector: UnsafeMutablePointer<UInt8>, _ cipher: OpaquePointer, _ code: OpaquePointer) -> Bool {
        guard let algorithm = Self.cipher else { return false }
        return EVP_DecryptInit_ex(cipher, algorithm, nil, self.cipherKey, vector) == 1 && self.beginCipher(code)
    }

    private func beginCipher(_ code: OpaquePointer) -> Bool {
        // OpenSSL only reads the names, and only during the call, but it takes mutable pointers.
        let (name, digest): (StaticString, StaticString) = ("digest", "SHA256")
        let parameters = [
            OSSL_PARAM_construct_utf8_string(Self.text(name), Self.text(digest), 0), OSSL_PARAM_construct_end(),
        ]
        return EVP_MAC_init(code, self.codeKey, Self.keyLength, parameters) == 1
    }

    private static func text(_ text: StaticString) -> UnsafeMutablePointer<CChar> {
        UnsafeMutableRawPointer(mutating: text.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    private var cipherKey: UnsafePointer<UInt8>? { self.key(at: Self.nameLength) }
    private var codeKey: UnsafePointer<UInt8>? { self.key(at: Self.nameLength + Self.keyLength) }

    private func key(at offset: Int) -> UnsafePointer<UInt8>? {
        self.bytes.baseAddress.map { UnsafePointer(($0 + offset).assumingMemoryBound(to: UInt8.self)) }
    }
}
