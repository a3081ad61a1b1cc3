import Base
import Cryptography

/// The content of an encrypted token: its last three parts.
struct SealedContent: Sendable {
    let iv: [UInt8]
    let ciphertext: [UInt8]
    let tag: [UInt8]
}

extension ContentEncryption {
    /// RFC 7518 §5.2.2.1 and §5.3 allow no other length. A short tag could be guessed.
    func hasItsLengths(_ content: SealedContent) -> Bool {
        content.iv.count == self.ivByteCount && content.tag.count == self.tagByteCount
            && (!self.isCBC || !content.ciphertext.isEmpty && content.ciphertext.count % AESCBCHMAC.ivByteCount == 0)
    }

    /// The key must have `keyByteCount` bytes.
    func seal(_ plaintext: [UInt8], key: Secret, additional: [UInt8]) -> SealedContent {
        let iv = RandomBytes.make(self.ivByteCount)
        if self.isCBC {
            let (ciphertext, tag) = AESCBCHMAC.seal(plaintext, key: key, iv: iv, additional: additional)
            return SealedContent(iv: iv, ciphertext: ciphertext, tag: tag)
        }
        let sealed = OpenSSLCipher.seal(plaintext, key: key, nonce: iv, additional: additional).dropFirst(iv.count)
        let tag = sealed.suffix(self.tagByteCount)
        return SealedContent(iv: iv, ciphertext: Array(sealed.dropLast(tag.count)), tag: Array(tag))
    }

    /// Returns nil unless it is authentic. Key and content must have the right lengths.
    func open(_ content: SealedContent, key: Secret, additional: [UInt8]) -> [UInt8]? {
        self.isCBC
            ? AESCBCHMAC.open(content.ciphertext, tag: content.tag, key: key, iv: content.iv, additional: additional)
            : OpenSSLCipher.open(content.iv + content.ciphertext + content.tag, key: key, additional: additional)
    }

    private var isCBC: Bool {
        switch self {
        case .a128GCM, .a256GCM: false
        case .a128CBCHS256, .a256CBCHS512: true
        }
    }

    private var ivByteCount: Int { self.isCBC ? AESCBCHMAC.ivByteCount : AESGCM.nonceByteCount }

    private var tagByteCount: Int {
        switch self {
        case .a128GCM, .a256GCM: AESGCM.tagByteCount
        case .a128CBCHS256: 16
        case .a256CBCHS512: 32
        }
    }
}
