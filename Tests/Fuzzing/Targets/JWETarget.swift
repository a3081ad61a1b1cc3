import Base
import Cryptography
import JOSE

/// Encrypted tokens (RFC 7516): none decrypts except the seeds, byte for byte.
enum JWETarget {
    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        let text = CompactInput.text(input)
        try CompactInput.checkParts(of: text)
        guard let opened = try? FuzzKeys.shared().decrypter.decrypt(text) else { return .refused }
        try require(Decrypter.isEncrypted(text), "not five parts")
        try require(opened.plaintext == self.plaintext, "opened, and something else was in it")
        try require(self.sealed.contains(self.digest(of: text)), "opened, though nobody sealed it")
        return .accepted
    }

    private static let plaintext = Secret("sealed")

    /// The tokens that were encrypted with these keys, one of each algorithm: the seeds, by their digests.
    private static let sealed: Set = [
        "qVJdqgD06xyESi6-TTQcqPm9NA-Ev4dvtEGzB7o6ZTs",
        "y1byb9s2HYC78azaxZTG9aKsMbAeE2P8v6DQVdcf4C8",
        "SxYTouQU7fSAOu0h-OuOd93I8au1KQ2EQS74Aqx8xMY",
        "S3nTx9zSEWGNp9ipSrOc14pSkj1269S4jPNccuHr478",
        "0PZjJqpiD5cGLt591Qzwmh2W6QQI7C4aTqzWv94Zz-Q",
        "UYpWDsgHMZjq2jtd0G1okGAL51FoPXfBFNl8QAbOSaU",
        "-cnCpPxk9-ZkbR-V9qSkTsO2UbF5LNFg-D6YLtUcOm4",
    ]

    private static func digest(of text: String) -> String { Base64URL.encode(Digest.sha256.hash(Array(text.utf8))) }
}
