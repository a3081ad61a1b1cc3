import Base
import Cryptography
import TestSupport
import Testing

/// HMAC (RFC 2104) and HKDF (RFC 5869) against the examples of the RFCs.
@Suite struct HMACTests {
    @Test func `neither a key nor a code is printed`() {
        let key = HMACKey(Secret("correct horse"))
        let code = key.code { $0.append("message") }
        for value in [key, code] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] { #expect(text.contains("‹")) }
            #expect(Mirror(reflecting: value).children.isEmpty)
        }
    }

    @Test(arguments: HMACExample.all) func `each example has its code`(_ example: HMACExample) {
        let key = Secret([UInt8](hex: example.key))
        let code = HMAC.code([UInt8](hex: example.message), key: key, example.digest)
        #expect(code == [UInt8](hex: example.code))
    }

    /// A shorter key is padded with zeros (RFC 2104 §3), so an empty one is a block of zeros.
    @Test(arguments: Digest.allCases) func `an empty key is a block of zeros`(_ digest: Digest) {
        let message = Array("message".utf8)
        let code = HMAC.code(message, key: Secret([UInt8]()), digest)
        #expect(code == HMAC.code(message, key: Secret([UInt8](repeating: 0, count: 64)), digest))
    }

    /// The result does not depend on how a message is split, or how often its key is used.
    @Test func `the code of pieces is that of the whole`() {
        let message = (0..<200).map { UInt8($0) }
        let key = HMACKey(Secret("key"))
        let expected = HMAC.code(message, key: Secret("key"))
        for cut in [0, 1, 55, 63, 64, 65, 128, 200] {
            let code = key.code { pieces in
                pieces.append(Array(message[..<cut]))
                message[cut...].withUnsafeBytes { pieces.append($0) }
            }
            #expect(code.array() == expected)
            #expect(code.array(16) == Array(expected.prefix(16)))
        }
        #expect(key.code { $0.append("text") }.array() == key.code(Array("text".utf8)))
    }

    @Test func `an empty message has a code too`() {
        let code = HMAC.code([], key: Secret([UInt8]()))
        #expect(code == [UInt8](hex: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
    }

    @Test func `many threads get the same code`() async {
        let key = Secret("key")
        let expected = HMAC.code([1, 2, 3], key: key)
        let codes = await withTaskGroup(of: [[UInt8]].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<1000).map { _ in HMAC.code([1, 2, 3], key: key) } }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(codes) == [expected])
    }

    /// The examples of RFC 5869 §A.1 to §A.3.
    static let derivations: [(section: String, key: String, salt: String, info: String, output: String)] = [
        (
            "A.1", "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        ),
        (
            "A.2", Self.counting(from: 0x00), Self.counting(from: 0x60), Self.counting(from: 0xB0),
            """
            b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09\
            da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
            """
        ),
        (
            "A.3", "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "", "",
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        ),
    ]

    @Test(arguments: derivations)
    func `the key of RFC 5869 is derived`(
        _ section: String, _ key: String, _ salt: String, _ info: String, _ output: String
    ) {
        let expected = [UInt8](hex: output)
        let derived = HKDF.derive(
            expected.count, from: Secret([UInt8](hex: key)), salt: [UInt8](hex: salt), info: [UInt8](hex: info))
        #expect(derived.exposed == expected)
    }

    @Test(arguments: [0, 1, 31, 32, 33, 255 * 32]) func `as many bytes are derived as asked`(_ count: Int) {
        let key = Secret("key")
        let derived = HKDF.derive(count, from: key, info: [1])
        #expect(derived.count == count)
        #expect(HKDF.derive(255 * 32, from: key, info: [1]).exposed.starts(with: derived.exposed))
    }

    /// Returns the 80 bytes of §A.2, each one more than the one before.
    private static func counting(from first: UInt8) -> String {
        (first...first + 0x4F).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
