import Base
import JOSE

/// The provider's signing keys: one for each algorithm that a client needs, and more for the faults.
struct KeyRing: Sendable {
    enum Choice: Sendable {
        case current
        /// A new key that replaces the current one.
        case fresh
        /// Another key beside the current one. Both are published for a while.
        case second
        /// A key that was never published.
        case unpublished
    }

    private static let secondLives = Duration.seconds(60)
    /// Making an RSA key takes a tenth of a second, so all providers of a process start with the same keys.
    private static let first = Result {
        try [SignatureAlgorithm.rs256, .es256].map { try ProviderKey.make(for: $0) }
    }
    /// Keys for encryption. They come first in the set, so that it does not help to take the first key or the only one.
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

    /// Adds a key for the algorithm, if there is none. RS256 and ES256 always have one.
    mutating func provide(for algorithm: SignatureAlgorithm) throws {
        guard !self.current.contains(where: { $0.algorithm == algorithm }) else { return }
        self.current.append(try .make(for: algorithm))
    }

    /// Returns the key that signs next. The choice decides which keys are replaced.
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

    /// Removes the algorithm's key. The next one is made when it is needed.
    mutating func retire(_ algorithm: SignatureAlgorithm) { self.current.removeAll { $0.algorithm == algorithm } }

    func published(at now: Timestamp) -> JWKSet {
        let second = now < self.secondEnds ? [self.second].compactMap(\.self) : []
        return JWKSet(self.decoys + (self.current + second).map(\.published))
    }
}

/// A key of the provider, made when it starts and never stored.
struct ProviderKey: Sendable {
    let key: PrivateKey
    let algorithm: SignatureAlgorithm
    let keyID: String

    static func make(for algorithm: SignatureAlgorithm) throws(OperatorError) -> Self {
        let kind: PrivateKey.Kind =
            switch algorithm {
            case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa(bits: 2048)
            case .es256: .p256
            case .es384: .p384
            case .es512: .p521
            case .edDSA, .ed25519: .ed25519
            }
        let keyID = "sandbox-\(algorithm.rawValue)-\(Base64URL.encode(RandomBytes.make(6)))"
        return Self(key: try .generate(kind), algorithm: algorithm, keyID: keyID)
    }

    var published: JWK { self.key.publicKey.jwk(keyID: self.keyID, use: "sig", algorithm: self.algorithm) }
}
