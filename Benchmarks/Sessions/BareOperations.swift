import Base
import Cryptography
import JOSE
import BenchmarkSupport

/// The operations that no renewal and no unlock can do without, each alone, in microseconds of CPU time.
///
/// A signature is libcrypto's own, a write is the store's own, and a request is one of the same server that needs no
/// work. What is read from the store counts as ours.
final class BareOperations {
    private static let signatures = Extent.of(2_000, short: 20)
    private static let writes = Extent.of(4_000, short: 40)

    private let signature: BareSignature
    private let stage: FlowStage

    /// What one round found.
    struct Costs {
        let verify, sign, hmac, write: Double
    }

    init(_ stage: FlowStage) throws {
        self.signature = try BareSignature(PrivateKey.generate(.p256), .es256)
        self.stage = stage
    }

    func measured() async throws -> Costs {
        let (key, message) = (Secret(RandomBytes.make(32)), RandomBytes.make(96))
        return Costs(
            verify: try await Self.cost(Self.signatures) { count in
                for number in 0..<count { try self.signature.verify(number) }
            },
            sign: try await Self.cost(Self.signatures) { count in
                for number in 0..<count { try self.signature.sign(number) }
            },
            hmac: try await Self.cost(Self.signatures) { count in
                for _ in 0..<count { _ = HMACKey(key).code(message) }
            },
            write: try await Self.cost(Self.writes) { try await self.stage.write($0) })
    }

    private static func cost(_ count: Int, _ work: (Int) async throws -> Void) async throws -> Double {
        let started = CPUTime.seconds
        try await work(count)
        return (CPUTime.seconds - started) * 1e6 / Double(count)
    }
}
