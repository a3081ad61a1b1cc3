import Base
import JOSE
import Testing

/// Signatures of every algorithm: made, verified, and refused in every other combination.
@Suite struct SignatureTests {
    static let message = Array("header.payload".utf8)

    /// The kind of key for each algorithm (RFC 7518 §3.1, RFC 8037 §3.1).
    static let pairs: [(SignatureAlgorithm, KeyKind, byteCount: Int)] = [
        (.rs256, .rsa(bits: 2048), 256),
        (.rs384, .rsa(bits: 2048), 256),
        (.rs512, .rsa(bits: 2048), 256),
        (.ps256, .rsa(bits: 2048), 256),
        (.ps384, .rsa(bits: 2048), 256),
        (.ps512, .rsa(bits: 2056), 257),
        (.es256, .p256, 64),
        (.es384, .p384, 96),
        (.es512, .p521, 132),
        (.edDSA, .ed25519, 64), (.ed25519, .ed25519, 64),
    ]

    @Test func `every algorithm has its key`() {
        #expect(Self.pairs.map(\.0) == SignatureAlgorithm.allCases)
    }

    @Test(arguments: pairs)
    func `what was signed is verified`(_ algorithm: SignatureAlgorithm, _ kind: KeyKind, byteCount: Int) throws {
        let key = try GeneratedKey.of(kind)
        for message in [Self.message, [], RandomBytes.make(100_000)] {
            let signature = try key.sign(message, with: algorithm)
            #expect(signature.count == byteCount)
            #expect(key.publicKey.verify(signature, of: message, with: algorithm))
            #expect(!key.publicKey.verify(signature, of: message + [0], with: algorithm))
            let read = try JWK(key.publicKey.jwk(keyID: nil).json).publicKey
            #expect(read.verify(signature, of: message, with: algorithm))
        }
    }

    @Test(arguments: pairs)
    func `a changed signature is refused`(_ algorithm: SignatureAlgorithm, _ kind: KeyKind, byteCount: Int) throws {
        let key = try GeneratedKey.of(kind)
        let signature = try key.sign(Self.message, with: algorithm)
        for index in stride(from: 0, to: byteCount, by: 7) {
            var changed = signature
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(!key.publicKey.verify(changed, of: Self.message, with: algorithm))
        }
    }

    @Test(arguments: pairs)
    func `a signature of another form is refused`(_ algorithm: SignatureAlgorithm, _ kind: KeyKind, byteCount: Int)
        throws
    {
        let key = try GeneratedKey.of(kind)
        let signature = try key.sign(Self.message, with: algorithm)
        let half = byteCount / 2
        let others: [(String, [UInt8])] = [
            ("empty", []),
            ("one byte", [0]),
            ("cut", Array(signature.dropLast())),
            ("cut in front", Array(signature.dropFirst())),
            ("a zero behind", signature + [0]),
            ("a zero in front", [0] + signature),
            ("twice", signature + signature),
            ("all zeros (CVE-2022-21449)", [UInt8](repeating: 0, count: byteCount)),
            ("all ones", [UInt8](repeating: 0xFF, count: byteCount)),
            ("halves exchanged", Array(signature[half...] + signature[..<half])),
            ("both halves one longer", [0] + signature[..<half] + [0] + signature[half...]),
            ("DER (RFC 7518 §3.4)", Self.der(signature)),
        ]
        for (form, other) in others {
            #expect(!key.publicKey.verify(other, of: Self.message, with: algorithm), "\(form)")
        }
    }

    @Test(arguments: KeyKind.examples) func `no key accepts the algorithm of another`(_ kind: KeyKind) throws {
        let key = try GeneratedKey.of(kind)
        let fitting = SignatureAlgorithm.allCases.filter(key.publicKey.fits)
        #expect(fitting == Self.pairs.filter { Self.isSameFamily($0.1, kind) }.map(\.0))
        for algorithm in SignatureAlgorithm.allCases where !fitting.contains(algorithm) {
            #expect(throws: OperatorError("the key cannot make a signature of \(algorithm.rawValue)")) {
                try key.sign(Self.message, with: algorithm)
            }
        }
        for made in fitting {
            let signature = try key.sign(Self.message, with: made)
            for asked in SignatureAlgorithm.allCases where asked != made && !Self.areOne(asked, made) {
                #expect(!key.publicKey.verify(signature, of: Self.message, with: asked), "\(made) as \(asked)")
            }
        }
    }

    /// RFC 9864 gives EdDSA with this curve a second name.
    private static func areOne(_ one: SignatureAlgorithm, _ other: SignatureAlgorithm) -> Bool {
        [.edDSA, .ed25519].contains(one) && [.edDSA, .ed25519].contains(other)
    }

    @Test(arguments: pairs)
    func `the signature of another key is refused`(_ algorithm: SignatureAlgorithm, _ kind: KeyKind, byteCount: Int)
        throws
    {
        let signature = try GeneratedKey.of(kind).sign(Self.message, with: algorithm)
        #expect(
            try !GeneratedKey.of(kind, named: "other").publicKey.verify(signature, of: Self.message, with: algorithm))
    }

    /// ECDSA numbers with leading zeros are written in full length. Some of 600 signatures have one.
    @Test(arguments: [(SignatureAlgorithm.es256, KeyKind.p256), (.es512, .p521)])
    func `leading zeros of numbers are written`(_ algorithm: SignatureAlgorithm, _ kind: KeyKind) throws {
        let key = try GeneratedKey.of(kind)
        let signatures = try (0..<600).map { _ in try key.sign(Self.message, with: algorithm) }
        #expect(Set(signatures.map(\.count)).count == 1)
        let withZeros = signatures.filter { $0[0] == 0 || $0[$0.count / 2] == 0 }
        #expect(withZeros.prefix(10).allSatisfy { key.publicKey.verify($0, of: Self.message, with: algorithm) })
    }

    @Test func `many threads use one key`() async throws {
        let key = try GeneratedKey.of(.p256)
        let verified = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask {
                    let message = [UInt8(number)]
                    guard let signature = try? key.sign(message, with: .es256) else { return false }
                    return key.publicKey.verify(signature, of: message, with: .es256)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(verified == [Bool](repeating: true, count: 64))
    }

    private static func isSameFamily(_ one: KeyKind, _ other: KeyKind) -> Bool {
        switch (one, other) {
        case (.rsa, .rsa): true
        default: one == other
        }
    }

    /// Returns the same two numbers as a SEQUENCE of two INTEGERs, as X.509 writes them.
    private static func der(_ raw: [UInt8]) -> [UInt8] {
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            let number = Array(bytes.drop { $0 == 0 })
            let signed = (number.first ?? 0x80) & 0x80 == 0 ? number : [0] + number
            return [0x02, UInt8(truncatingIfNeeded: signed.count)] + signed
        }
        let body = integer(raw[..<(raw.count / 2)]) + integer(raw[(raw.count / 2)...])
        return [0x30] + (body.count < 0x80 ? [] : [0x81]) + [UInt8(truncatingIfNeeded: body.count)] + body
    }
}
