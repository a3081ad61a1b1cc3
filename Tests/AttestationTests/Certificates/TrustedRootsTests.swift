import Cryptography
import Attestation
import AttestedPhones
import Base
import Testing

/// Roots from the configuration, and serial numbers as Google's list has them.
@Suite struct TrustedRootsTests {
    @Test func `several roots are read from one file`() throws {
        let roots = [try KeyAttestationStage.factory().root, try KeyAttestationStage.remote().root]
        let pem = try roots.flatMap { try $0.pem() }
        #expect(try TrustedRoots(pem: Array("Google's roots\n".utf8) + pem).count == 2)
    }

    @Test func `what is no root is refused`() throws {
        let stage = try KeyAttestationStage.remote()
        var stranger = stage.root
        stranger.signer = try TestKey(.p384)
        var noAuthority = stage.root
        noAuthority.extensions = []
        for plan in [stage.chain[3], stranger, noAuthority] {
            let pem = try plan.pem()
            #expect(throws: FileError("a certificate is not the self-signed one of an authority")) {
                try TrustedRoots(pem: pem)
            }
        }
        let half = Array(try stage.root.pem().prefix(200))
        for text in [[], Array("no certificate".utf8), half, Array("-----BEGIN CERTIFICATE-----\nAA==\n".utf8)] {
            #expect(throws: FileError("there is no certificate in PEM, or one that cannot be read")) {
                try TrustedRoots(pem: text)
            }
        }
    }

    static let serialNumbers: [(bytes: [UInt8], text: String)] = [
        ([0], "0"), ([1], "1"), ([0x0A, 0xBC], "abc"), ([0xDE, 0xF0], "def0"), ([0xFF], "ff"),
        ([UInt8](repeating: 0x7F, count: 20), String(repeating: "7f", count: 20)),
    ]

    @Test(arguments: serialNumbers)
    func `serial numbers are written as Google's list has them`(_ bytes: [UInt8], _ text: String) throws {
        var plan = try KeyAttestationStage.remote().root
        plan.serial = bytes
        #expect(try #require(Certificate(der: try plan.der())).serialNumber == text)
    }
}
