import Base
import JOSE
import Testing

/// Private keys: read from common kinds of files, written as PKCS #8, and refused.
@Suite struct PrivateKeyTests {
    static let files: [(form: String, pem: String, kind: KeyKind, thumbprint: String)] = [
        ("PKCS #8 RSA", PEMExample.pkcs8RSA, .rsa(bits: 2048), "IsUn6_e04MaShXFIISMp4kG62LWzMIPy_MvSA5pJgX8"),
        ("PKCS #1", PEMExample.pkcs1, .rsa(bits: 2048), "IsUn6_e04MaShXFIISMp4kG62LWzMIPy_MvSA5pJgX8"),
        ("PKCS #8 P-256", PEMExample.pkcs8P256, .p256, "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U"),
        ("SEC 1", PEMExample.sec1, .p256, "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U"),
        ("SEC 1 with parameters", PEMExample.sec1WithParameters, .p384, ""),
        ("PKCS #8 P-521", PEMExample.pkcs8P521, .p521, ""),
        ("PKCS #8 Ed25519", PEMExample.pkcs8Ed25519, .ed25519, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"),
        ("with text around", "key of the test\n" + PEMExample.sec1 + "\nend\n", .p256, ""),
        ("with CRLF", PEMExample.sec1.split(separator: "\n").joined(separator: "\r\n"), .p256, ""),
    ]

    @Test(arguments: files)
    func `each form of key file is read`(_ form: String, _ pem: String, _ kind: KeyKind, _ thumbprint: String) throws {
        let key = try PrivateKey(pem: Secret(pem))
        #expect(key.kind == kind)
        let published = key.publicKey.jwk(keyID: nil).thumbprint
        #expect(thumbprint.isEmpty || published == thumbprint)
        #expect(key.pem.exposedText.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(try PrivateKey(pem: key.pem).publicKey.jwk(keyID: nil).thumbprint == published)
    }

    private static let notOneKey = "does not contain one private key in PEM without a password"
    private static let unsupported = "is a kind of key that Switchback does not use"

    static let refused: [(reason: String, pem: String, message: String)] = [
        ("nothing", "", notOneKey),
        ("no PEM", "secret", notOneKey),
        ("the bare base64", PEMExample.pkcs8Ed25519.split(separator: "\n")[1].description, notOneKey),
        ("no end", PEMExample.pkcs8Ed25519.split(separator: "\n").dropLast().joined(separator: "\n"), notOneKey),
        ("another label", PEMExample.pkcs1.replacingLabel("RSA PRIVATE KEY", "EC PRIVATE KEY"), notOneKey),
        ("a broken body", PEMExample.pkcs1.replacingLabel("MII", "MIJ"), notOneKey),
        ("two keys", PEMExample.sec1 + "\n" + PEMExample.pkcs8Ed25519, notOneKey),
        ("public key", RefusedPEMExample.publicKey, notOneKey),
        ("encrypted", RefusedPEMExample.encryptedPKCS8, notOneKey),
        ("encrypted in the old way", RefusedPEMExample.encryptedSEC1, notOneKey),
        (
            "RFC 7518 §3.3 RSA of 1024 bits", RefusedPEMExample.rsa1024,
            "is an RSA key that is too small or too large; it must have at least 2048 bits"
        ),
        ("RSA-PSS", RefusedPEMExample.rsaPSS, unsupported),
        ("secp256k1", RefusedPEMExample.secp256k1, unsupported),
        ("secp224r1", RefusedPEMExample.secp224r1, unsupported),
        ("X25519", RefusedPEMExample.x25519, unsupported),
        ("halves of two keys", RefusedPEMExample.mismatch, "contains halves of two different keys"),
    ]

    @Test(arguments: refused)
    func `malformed key files are refused`(_ reason: String, _ pem: String, _ message: String) {
        #expect(throws: FileError(message)) { try PrivateKey(pem: Secret(pem)) }
    }

    @Test(arguments: KeyKind.examples) func `each key that is made is new`(_ kind: KeyKind) throws {
        let one = try PrivateKey.generate(kind)
        let other = try PrivateKey.generate(kind)
        #expect(one.kind == kind)
        #expect(one.pem != other.pem)
        #expect(try PrivateKey(pem: one.pem).pem == one.pem)
    }

    @Test(arguments: [Int.min, -1, 0, 512, 1024, 2047, 8193, Int.max])
    func `no RSA key of unsafe or absurd size is made`(_ bits: Int) {
        #expect(throws: OperatorError("an RSA key has 2048 to 8192 bits")) { try PrivateKey.generate(.rsa(bits: bits)) }
    }

    @Test func `a private key is not printed`() throws {
        let key = try PrivateKey(pem: Secret(PEMExample.pkcs8Ed25519))
        var dumped = ""
        dump(key, to: &dumped)
        #expect(!"\(key)\(String(reflecting: key))\(dumped)".contains("PRIVATE"))
        #expect("\(key.pem)" == "‹secret›")
    }
}

extension String {
    fileprivate func replacingLabel(_ old: String, _ new: String) -> String {
        self.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }
}
