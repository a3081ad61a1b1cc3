import Foundation
import Testing

@testable import SwitchbackClient

/// The library's own SHA-256, HMAC, PBKDF2, thumbprints and signatures, against published values.
@Suite struct CryptographyTests {
    private static func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

    // MARK: - FIPS 180-4

    static let hashes: [(message: String, hash: String)] = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 1000),
            "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
        ),
    ]

    @Test("SHA-256 matches the published hashes", arguments: hashes)
    func sha256(_ row: (message: String, hash: String)) {
        #expect(Self.hex(SHA256.hash(Array(row.message.utf8))) == row.hash)
    }

    // MARK: - RFC 4231

    static let codes: [(key: [UInt8], message: String, code: String)] = [
        (
            Array(repeating: 0x0b, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            Array(repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ]

    @Test("HMAC matches the published codes", arguments: codes)
    func hmac(_ row: (key: [UInt8], message: String, code: String)) {
        #expect(Self.hex(HMACSHA256(key: row.key).authenticate(Array(row.message.utf8))) == row.code)
    }

    // MARK: - PBKDF2

    /// The first two are RFC 7914 §11; the others are the inputs of RFC 6070 with SHA-256.
    static let keys: [(password: String, salt: String, iterations: Int, key: String)] = [
        ("passwd", "salt", 1, "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"),
        ("Password", "NaCl", 80000, "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"),
        ("password", "salt", 1, "120fb6cffcf8b32c43e7225256c4f837a86548c92ccc35480805987cb70be17b"),
        ("password", "salt", 2, "ae4d0c95af6b46d32d0adff928f06dd02a303f8ef3c251dfd6e2d85a95474c43"),
        ("password", "salt", 4096, "c5e478d59288c841aa530db6845c4c8d962893a001ce4e11a4963873aa98134a"),
    ]

    @Test("PBKDF2 matches the published keys", arguments: keys, [true, false])
    func pbkdf2(_ row: (password: String, salt: String, iterations: Int, key: String), _ isSystem: Bool) {
        // In a debug build the software takes seconds for the long one.
        if isSystem, row.iterations > 10_000 { return }
        let derivation: any KeyDerivation = isSystem ? SystemKeyDerivation() : SoftwareKeyDerivation()
        let key = derivation.derive(
            from: Array(row.password.utf8), salt: Array(row.salt.utf8), iterations: row.iterations)
        #expect(Self.hex(key) == row.key)
    }

    // MARK: - RFC 9449

    private static let key = try? JSONDecoder().decode(
        P256PublicKey.self,
        from: Data(
            """
            {"x": "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs", "y": "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA"}
            """.utf8))

    @Test("the thumbprint is that of RFC 9449 section 6.1") func rfc9449Section6_1TheThumbprint() {
        #expect(Self.key?.thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    }

    @Test("the proof has the form of RFC 9449 section 4.2") func rfc9449Section4_2TheProof() throws {
        let url = try #require(URL(string: "https://resource.example.org/protected%20resource?x=1#y"))
        var proof = DPoPProof(
            key: try #require(Self.key), method: "GET", url: url, id: "e1j3V_bKic8-LAEB", issuedAt: 1_562_262_618)
        let parts = proof.signingInput.split(separator: ".").map { Base64URL.decode(String($0)) }
        #expect(
            String(decoding: parts[0] ?? [], as: UTF8.self) == """
                {"alg":"ES256","jwk":{"crv":"P-256","kty":"EC","x":"l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",\
                "y":"9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA"},"typ":"dpop+jwt"}
                """)
        #expect(
            String(decoding: parts[1] ?? [], as: UTF8.self) == """
                {"htm":"GET","htu":"https://resource.example.org/protected%20resource","iat":1562262618,\
                "jti":"e1j3V_bKic8-LAEB"}
                """)
        proof.accessToken = Secret("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU")
        proof.nonce = "n"
        let claims = ModelServer.claims(proof.signingInput + ".")
        #expect(claims?["ath"]?.string == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
        #expect(claims?["nonce"]?.string == "n" && claims?["pin_proof"] == nil)
    }

    // MARK: - Keys and signatures

    @Test("only an uncompressed point of 65 bytes is a key", arguments: [0, 64, 65, 66], [UInt8(2), 3, 4])
    func aPoint(_ count: Int, _ first: UInt8) {
        let point = [first] + [UInt8](repeating: 7, count: max(count - 1, 0))
        #expect((P256PublicKey(uncompressedPoint: point) != nil) == (count == 65 && first == 4))
    }

    private static let r = [UInt8](repeating: 0x11, count: 32)
    static let signatures: [(der: [UInt8], raw: [UInt8]?)] = [
        ([0x30, 68, 2, 32] + r + [2, 32] + r, r + r),
        // A leading zero keeps a number positive, and small numbers are short.
        ([0x30, 70, 2, 33, 0] + [0x91] + r.dropFirst() + [2, 33, 0] + r, [0x91] + r.dropFirst() + r),
        ([0x30, 6, 2, 1, 5, 2, 1, 6], [UInt8](repeating: 0, count: 31) + [5] + [UInt8](repeating: 0, count: 31) + [6]),
        ([], nil), ([0x30], nil), ([0x30, 0], nil), ([0x31, 6, 2, 1, 5, 2, 1, 6], nil),
        ([0x30, 6, 2, 1, 5, 2, 1], nil), ([0x30, 7, 2, 1, 5, 2, 1, 6], nil), ([0x30, 6, 2, 1, 5, 2, 1, 6, 0], nil),
        ([0x30, 9, 2, 1, 5, 2, 1, 6, 2, 1, 7], nil), ([0x30, 5, 2, 0, 2, 1, 6], nil),
        ([0x30, 68, 2, 33, 1] + r + [2, 31] + r.dropFirst(), nil), ([0x30, 0x81, 6, 2, 1, 5, 2, 1, 6], nil),
    ]

    @Test("a DER signature is read as its raw numbers", arguments: signatures)
    func aSignature(_ row: (der: [UInt8], raw: [UInt8]?)) {
        #expect(ECDSASignature.raw(der: Data(row.der)).map(Array.init) == row.raw)
        // A slice does not begin at 0.
        #expect(ECDSASignature.raw(der: Data([9] + row.der).dropFirst()).map(Array.init) == row.raw)
    }

    // MARK: - The PIN's secret

    /// Every PIN gives 32 bytes, and nothing tells a guesser which are right.
    @Test("every PIN gives a secret") func everyPINGivesASecret() throws {
        var number: UInt64 = 0
        let secret = PINSecret {
            number += 1
            return number
        }
        let (right, wrong) = ([UInt8](repeating: 9, count: 32), [UInt8](repeating: 8, count: 32))
        let masked = secret.masked(by: right)
        #expect(PINSecret(masked: masked, by: right) == secret)
        #expect(PINSecret(masked: masked, by: wrong)?.bytes.count == 32)
        #expect(PINSecret(masked: masked, by: wrong) != secret)
        #expect(PINSecret(masked: Array(masked.dropLast()), by: right) == nil)
    }

    @Test("the proof of a PIN is a code under its secret") func theProofOfAPIN() throws {
        let zeros = [UInt8](repeating: 0, count: 32)
        let secret = try #require(PINSecret(masked: zeros, by: zeros))
        let code = HMACSHA256(key: zeros).authenticate(Array("switchback/unlock/1sessionnonceid".utf8))
        #expect(secret.proof(session: "session", nonce: "nonce", id: "id") == Base64URL.encode(code))
    }
}
