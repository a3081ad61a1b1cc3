import Base
import JOSE
import KeyFiles

/// Which keys a server rotates, and how fast.
///
///     made ──────────────────▶ active ─────────────────▶ retired ──────────▶ ended
///     published, signs nothing  signs                    verifies            gone
///               publishing               rotateEvery             retention
///
/// All the shorter times follow from `publishFor`, so that a key is never used before every reader can know it: a key
/// set is served from a reading of the row that is at most half as old, readers keep it for at most a fifth, and the
/// rest is room for a slow write and for clocks that differ.
package struct RingPolicy: Equatable, Sendable {
    /// Keys that replace each other.
    package struct Chain: Equatable, Sendable {
        package let slot: Slot
        package let kind: PrivateKey.Kind
        /// The only algorithm for its keys; nil if they may be used with every one that fits.
        package let algorithm: SignatureAlgorithm?

        package init(_ slot: Slot, _ kind: PrivateKey.Kind, algorithm: SignatureAlgorithm?) {
            self.slot = slot
            self.kind = kind
            self.algorithm = algorithm
        }
    }

    /// Where keys replace each other: one slot for each use, and for what brokers read one for each kind of key.
    package struct Slot: Hashable, Sendable {
        package let use: KeyUse
        package let name: String

        package init(_ use: KeyUse, _ name: String = "") {
            self.use = use
            self.name = name
        }

        /// The slot of a key in a file, whose automatic successors take over its work.
        package init(_ use: KeyUse, like key: SigningKey) {
            guard use == .signing else {
                self.init(use)
                return
            }
            let kind =
                switch key.key.kind {
                case .rsa(let bits): "RSA-\(bits)"
                case .p256, .p384, .p521, .ed25519: "\(key.key.kind)"
                }
            self.init(use, [kind, key.algorithm?.rawValue].compactMap(\.self).joined(separator: " "))
        }
    }

    /// The uses whose keys can rotate themselves. The others encrypt, name people, or are known by their value.
    package static let uses: [KeyUse] = [.assertion, .access, .signing]

    package let chains: [Chain]
    package let rotateEvery: Duration
    package let publishFor: Duration
    /// Keys that were made before this time neither sign nor verify, because somebody may have a copy.
    package let trustedSince: Timestamp?

    package init(_ chains: [Chain], rotateEvery: Duration, publishFor: Duration, trustedSince: Timestamp? = nil) {
        self.chains = chains
        self.rotateEvery = rotateEvery
        self.publishFor = publishFor
        self.trustedSince = trustedSince
    }

    /// How long a new key is published before it signs: a quarter more than promised, for a write that takes its time.
    var publishing: Duration { self.publishFor + self.publishFor / 4 }
    /// How long a key is published that follows no other. Readers may still have a key set of a server that did not know
    /// the ring.
    var firstPublishing: Duration { max(self.publishing, Self.otherKeySetLifetime + .seconds(60)) }
    /// How long others may keep a key set of a server without automatic keys.
    static let otherKeySetLifetime = Duration.seconds(300)
    /// How long a key still verifies after it has stopped signing. Every token that it signed expires sooner.
    static let retention = Duration.seconds(3600)
    /// A server uses nothing that it has read longer ago than this.
    package var readingLifetime: Duration { self.publishFor / 2 }
    package var readingInterval: Duration { min(.seconds(60), self.publishFor / 10) }
    /// How often the row says that servers use it.
    var confirmationInterval: Duration { min(.seconds(3600), self.publishFor / 4) }
    /// A row that no server has used for this time may come from a backup.
    var confirmationLifetime: Duration { self.publishFor / 2 }
    /// How long others may keep a key set (`max-age`).
    package var keySetLifetime: Duration { min(.seconds(300), self.publishFor / 5) }
}
