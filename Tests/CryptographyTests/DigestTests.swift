import Cryptography
import TestSupport
import Testing

/// SHA-2: the examples of FIPS 180-4 as NIST publishes them.
@Suite struct DigestTests {
    static let examples: [(Digest, text: String, hash: String)] = [
        (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            .sha384, "abc",
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
        (
            .sha512, "abc",
            """
            ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
            2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f
            """
        ),
    ]

    @Test(arguments: examples)
    func `each example of NIST has its hash`(_ digest: Digest, _ text: String, _ hash: String) {
        #expect(digest.hash(Array(text.utf8)) == [UInt8](hex: hash))
    }

    @Test(arguments: Digest.allCases) func `a digest is as long as it says`(_ digest: Digest) {
        #expect(digest.hash([1, 2, 3]).count == digest.byteCount)
    }
}
