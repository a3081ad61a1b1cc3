import Base
import Cryptography
import TestSupport
import Testing

/// AES-CBC with an HMAC: RFC 7518 appendix B, and refusal of everything that was not encrypted in this way.
@Suite struct AESCBCHMACTests {
    static let iv = [UInt8](hex: "1af38c2dc2b96ffdd86694092341bc04")
    static let plaintext = Array(
        """
        A cipher system must not be required to be secret, and it must be able to fall into the hands of the enemy \
        without inconvenience
        """.utf8)
    static let additional = Array("The second principle of Auguste Kerckhoffs".utf8)

    static let examples: [(section: String, keyByteCount: UInt8, ciphertext: String, tag: String)] = [
        (
            "B.1 AES_128_CBC_HMAC_SHA_256", 32,
            """
            c80edfa32ddf39d5ef00c0b468834279a2e46a1b8049f792f76bfe54b903a9c9a94ac9b47ad2655c5f10f9aef71427e2\
            fc6f9b3f399a221489f16362c703233609d45ac69864e3321cf82935ac4096c86e133314c54019e8ca7980dfa4b9cf1b\
            384c486f3a54c51078158ee5d79de59fbd34d848b3d69550a67646344427ade54b8851ffb598f7f80074b9473c82e2db
            """,
            "652c3fa36b0a7c5b3219fab3a30bc1c4"
        ),
        (
            "B.3 AES_256_CBC_HMAC_SHA_512", 64,
            """
            4affaaadb78c31c5da4b1b590d10ffbd3dd8d5d302423526912da037ecbcc7bd822c301dd67c373bccb584ad3e9279c2\
            e6d12a1374b77f077553df829410446b36ebd97066296ae6427ea75c2e0846a11a09ccf5370dc80bfecbad28c73f09b3\
            a3b75e662a2594410ae496b2e2e6609e31e6e02cc837f053d21f37ff4f51950bbe2638d09dd7a4930930806d0703b1f6
            """,
            "4dd3b4c088a7f45c216839645b2012bf2e6269a8c56a816dbc1b267761955bc5"
        ),
    ]

    @Test(arguments: examples)
    func `the example is sealed and opened`(
        _ section: String, _ keyByteCount: UInt8, _ ciphertext: String, _ tag: String
    ) {
        let key = Secret(Array(0..<keyByteCount))
        let sealed = AESCBCHMAC.seal(Self.plaintext, key: key, iv: Self.iv, additional: Self.additional)
        #expect(sealed.ciphertext == [UInt8](hex: ciphertext))
        #expect(sealed.tag == [UInt8](hex: tag))
        let opened = AESCBCHMAC.open(
            sealed.ciphertext, tag: sealed.tag, key: key, iv: Self.iv, additional: Self.additional)
        #expect(opened == Self.plaintext)
    }

    @Test(arguments: [32, 64] as [UInt8]) func `nothing opens with a bit changed`(_ keyByteCount: UInt8) {
        let key = Secret(Array(0..<keyByteCount))
        let sealed = AESCBCHMAC.seal(Self.plaintext, key: key, iv: Self.iv, additional: Self.additional)
        let parts = [sealed.ciphertext, sealed.tag, key.exposed, Self.iv, Self.additional]
        for (index, part) in parts.enumerated() {
            for byte in part.indices {
                var changed = parts
                changed[index][byte] ^= 1 << UInt8(byte % 8)
                let opened = AESCBCHMAC.open(
                    changed[0], tag: changed[1], key: Secret(changed[2]), iv: changed[3], additional: changed[4])
                // A change in the half of the key that does not authenticate gives another text or none, never the
                // same.
                #expect(opened != Self.plaintext)
                #expect(opened == nil || index == 2 && byte >= keyByteCount / 2)
            }
        }
    }

    @Test(arguments: [32, 64] as [UInt8]) func `nothing opens with a part of a tag`(_ keyByteCount: UInt8) {
        let key = Secret(Array(0..<keyByteCount))
        let sealed = AESCBCHMAC.seal(Self.plaintext, key: key, iv: Self.iv, additional: Self.additional)
        for tag in [[], Array(sealed.tag.dropLast()), sealed.tag + [0], Array(sealed.tag.prefix(1))] {
            let opened = AESCBCHMAC.open(
                sealed.ciphertext, tag: tag, key: key, iv: Self.iv, additional: Self.additional)
            #expect(opened == nil)
        }
    }
}
