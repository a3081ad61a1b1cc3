import Attestation
import Base
import Cryptography
import Testing

/// The roots that the server has are those that Apple and Google publish.
@Suite struct BuiltInRootsTests {
    /// SHA-256 of each root, as its publisher and others state it.
    private static let known: [(pem: [UInt8], fingerprints: [String])] = [
        (TrustedRoots.applePEM, ["1cb9823ba28ba6ad2d33a006941de2ae4f513ef1d4e831b9f7e0fa7b6242c932"]),
        (
            TrustedRoots.googlePEM,
            [
                "cedb1cb6dc896ae5ec797348bce9286753c2b38ee71ce0fbe34a9a1248800dfc",
                "6d9db4ce6c5c0b293166d08986e05774a8776ceb525d9e4329520de12ba4bcc0",
            ]
        ),
    ]

    @Test func `the fingerprints of the built-in roots are the published ones`() throws {
        for (pem, fingerprints) in Self.known {
            #expect(try TrustedRoots(pem: pem).count == fingerprints.count)
            let text = String(decoding: pem, as: UTF8.self)
            let found = text.split(separator: "-----BEGIN CERTIFICATE-----").compactMap { part -> String? in
                let base64 = part.prefix { $0 != "-" }.filter { !$0.isWhitespace }
                return Base64.decode(base64).map { Digest.sha256.hash($0).map(Self.hex).joined() }
            }
            #expect(found == fingerprints)
        }
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
