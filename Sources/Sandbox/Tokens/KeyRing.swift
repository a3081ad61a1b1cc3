/// The provider's signing keys: one for each algorithm that a client wants, and what the faults need beside them.
import Base
import JOSE

struct KeyRing: Sendable {
    enum Choice: Sendable {
        case current
        /// Made just now, in the place of the current one.
        case fresh
        /// Another one beside the current one; both are published for a while.
        case second
        /// One that is not published, and never was.
        case unpublished
    }

    private static let secondLives = Duration.seconds(60)
    /// Making an RSA key takes a tenth of a second, so the providers of one process begin with the same keys.
    private static let first = Result {
        try [SignatureAlgorithm.rs256, .es256].map { try ProviderKey.make(for: $0) }
    }
    /// Keys for encryption, first in the set, so that nobody comes through by taking the first or the only one.
    private static let decoys = Result {
        try [PrivateKey.Kind.rsa(bits: 2048), .p256].map { try PrivateKey.generate($0).publicKey }
    }

    private var current: [ProviderKey]
    private var second: ProviderKey?
    private var secondEnds = Timestamp(milliseconds: 0)
    private let decoys: [JWK]

    init() throws {
        self.decoys = try Self.decoys.get().enumerated().map { index, key in
            key.jwk(keyID: "sandbox-decoy-\(index)", use: "enc", algorithm: nil)
        }
        self.current = try Self.first.get()
    }

    /// RS256 and ES256 are always there.
    mutating func provide(for algorithm: SignatureAlgorithm) throws {
        guard !self.current.contains(where: { $0.algorithm == algorithm }) else { return }
        self.current.append(try .make(for: algorithm))
    }

    /// The key that signs next. The order in which keys come and go is the one that the choice says.
    mutating func key(for algorithm: SignatureAlgorithm, _ choice: Choice, at now: Timestamp) throws -> ProviderKey {
        if choice == .fresh { self.retire(algorithm) }
        try self.provide(for: algorithm)
        switch choice {
        case .second:
            let second = try ProviderKey.make(for: algorithm)
            self.second = second
            self.secondEnds = now + Self.secondLives
            return second
        case .unpublished:
            return try .make(for: algorithm)
        case .current, .fresh:
            self.second = nil
            guard let key = self.current.first(where: { $0.algorithm == algorithm }) else {
                return try .make(for: algorithm)
            }
            return key
        }
    }

    /// The next one is made when it is needed or asked for.
    mutating func retire(_ algorithm: SignatureAlgorithm) { self.current.removeAll { $0.algorithm == algorithm } }

    func published(at now: Timestamp) -> JWKSet {
        let second = now < self.secondEnds ? [self.second].compactMap(\.self) : []
        return JWKSet(self.decoys + (self.current + second).map(\.published))
    }
}
