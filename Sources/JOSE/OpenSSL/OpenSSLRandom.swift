/// libcrypto's random generator.
import CSSL

enum OpenSSLRandom {
    static func bytes(_ count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        // Without randomness there is nothing that could safely go on: every secret of ours would be guessable.
        guard let size = Int32(exactly: count), RAND_bytes(&bytes, size) == 1 else {
            preconditionFailure("no randomness from libcrypto")
        }
        return bytes
    }
}
