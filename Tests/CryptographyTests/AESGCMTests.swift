import Base
import Cryptography
import TestSupport
import Testing

/// AES-256-GCM: NIST's examples, and refusal of everything that was not encrypted in this way.
@Suite struct AESGCMTests {
    let key = Secret(Array(0..<32))
    let plaintext = Array("an outcome".utf8)
    let additional = Array("a header".utf8)

    @Test(arguments: GCMExample.all) func `the example of NIST is opened`(_ example: GCMExample) throws {
        let sealed = [UInt8](hex: example.nonce + example.ciphertext + example.tag)
        let key = Secret([UInt8](hex: example.key))
        let opened = AESGCM.open(sealed, key: key, additional: [UInt8](hex: example.additional))
        #expect(opened == [UInt8](hex: example.plaintext))
    }

    @Test(arguments: [0, 1, 15, 16, 17, 500, 70_000]) func `what was sealed is opened`(count: Int) throws {
        let plaintext = RandomBytes.make(count)
        for additional in [[], self.additional] {
            let sealed = AESGCM.seal(plaintext, key: self.key, additional: additional)
            #expect(sealed.count == count + AESGCM.nonceByteCount + AESGCM.tagByteCount)
            #expect(AESGCM.open(sealed, key: self.key, additional: additional) == plaintext)
        }
    }

    @Test func `the same text is sealed differently each time`() {
        let sealed = (0..<100).map { _ in AESGCM.seal(self.plaintext, key: self.key, additional: []) }
        #expect(Set(sealed).count == 100)
    }

    @Test func `nothing opens with a bit changed`() {
        let sealed = AESGCM.seal(self.plaintext, key: self.key, additional: self.additional)
        for bit in 0..<sealed.count * 8 {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(AESGCM.open(changed, key: self.key, additional: self.additional) == nil)
        }
    }

    @Test func `nothing opens that was cut or lengthened`() {
        let sealed = AESGCM.seal(self.plaintext, key: self.key, additional: self.additional)
        let others = (0..<sealed.count).map { Array(sealed.prefix($0)) } + [sealed + [0], [0] + sealed]
        for other in others {
            #expect(AESGCM.open(other, key: self.key, additional: self.additional) == nil)
        }
    }

    @Test func `nothing opens with other additional bytes or another key`() {
        let sealed = AESGCM.seal(self.plaintext, key: self.key, additional: self.additional)
        for other in [[], self.additional + [0], Array(self.additional.dropLast())] {
            #expect(AESGCM.open(sealed, key: self.key, additional: other) == nil)
        }
        #expect(AESGCM.open(sealed, key: Secret(RandomBytes.make(32)), additional: self.additional) == nil)
    }

    @Test(arguments: [0, 16, 31, 33]) func `a key of another length is refused`(_ count: Int) {
        let sealed = AESGCM.seal(self.plaintext, key: self.key, additional: [])
        #expect(AESGCM.open(sealed, key: Secret(RandomBytes.make(count)), additional: []) == nil)
    }
}
