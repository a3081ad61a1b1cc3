import JOSE
import Testing

/// One key serves all connections: many threads sign and verify with it at once.
@Suite struct ConcurrentSignatureTests {
    private static let taskCount = 8
    private static let roundCount = 25

    @Test(arguments: SignatureTests.pairs)
    func `many threads use one key for one algorithm`(_ algorithm: SignatureAlgorithm, _ kind: KeyKind, byteCount: Int)
        async throws
    {
        try await Self.signAndVerify(kind) { _ in algorithm }
    }

    /// A context for one algorithm must not serve another.
    @Test func `many threads use one key for all its algorithms`() async throws {
        let algorithms: [SignatureAlgorithm] = [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]
        try await Self.signAndVerify(.rsa(bits: 2048)) { algorithms[$0 % algorithms.count] }
    }

    private static func signAndVerify(
        _ kind: KeyKind, _ algorithm: @escaping @Sendable (Int) -> SignatureAlgorithm
    ) async throws {
        // Read from its file, so that the tasks also race for the first use.
        let key = try PrivateKey(pem: GeneratedKey.of(kind).pem)
        let failures = await withTaskGroup(of: [String].self) { group in
            for task in 0..<self.taskCount {
                group.addTask {
                    (0..<self.roundCount).compactMap { round in
                        self.failure(key, algorithm(task + round), Array("task \(task), round \(round)".utf8))
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(failures == [])
    }

    private static func failure(_ key: PrivateKey, _ algorithm: SignatureAlgorithm, _ message: [UInt8]) -> String? {
        guard let signature = try? key.sign(message, with: algorithm) else { return "\(algorithm): no signature" }
        // Verify also with a key that no other task uses.
        guard let own = try? JWK(key.publicKey.jwk(keyID: nil).json).publicKey,
            own.verify(signature, of: message, with: algorithm)
        else { return "\(algorithm): a wrong signature" }
        guard key.publicKey.verify(signature, of: message, with: algorithm) else { return "\(algorithm): not verified" }
        guard !key.publicKey.verify(signature, of: message + [0], with: algorithm) else {
            return "\(algorithm): verified for another message"
        }
        return nil
    }
}
