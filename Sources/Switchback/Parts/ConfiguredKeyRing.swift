import Base
import KeyFiles
import KeyRing
import Logging
import LoginAPI
import ServerConfiguration
import Telemetry

/// The automatic keys of a server. Without `keys.automatic` it only publishes those that servers have left in the store
/// and that have not ended.
struct ConfiguredKeyRing: Sendable {
    let keeper: KeyRingKeeper

    /// How often the other servers are looked at, and a reading that has failed is tried again.
    static let tendingInterval = Duration.seconds(1)

    init(
        _ configuration: Configuration, store: any KeyRingStore, logger: Logger,
        now: @escaping @Sendable () -> Timestamp
    ) {
        let start = ContinuousClock.now
        let uses = Set(configuration.keys.automatic)
        self.keeper = KeyRingKeeper(
            configuration.ringPolicy(of: uses), of: uses, store: store, serverKeys: configuration.serverKeys, now: now,
            uptime: { ContinuousClock.now - start }, observe: { logger.log($0) })
    }

    /// Why this server is not ready; nil if it is.
    var obstacle: String? { self.keeper.isPassive ? nil : self.keeper.obstacle }

    /// What key sets have beside the keys in files. Nil if that is nothing.
    func keySets(at now: Timestamp) -> AutomaticKeySets? {
        let keeper = self.keeper
        if keeper.isPassive, keeper.ring?.keys.allSatisfy({ $0.phase(at: now) == nil }) ?? true { return nil }
        let sets = AutomaticKeySets(lifetime: Int(keeper.policy.keySetLifetime.components.seconds)) { name in
            switch name {
            case .assertion: await keeper.freshKeySet(.assertion)
            case .access: await keeper.freshKeySet(.access)
            case .client: await keeper.freshKeySet(.signing)
            }
        }
        return sets
    }

    func renew(_ configuration: Configuration) {
        self.keeper.renew(configuration.ringPolicy(of: self.keeper.uses), serverKeys: configuration.serverKeys)
        guard !self.keeper.isPassive else { return }
        let keeper = self.keeper
        Task { await keeper.read() }
    }

    /// Reads the row as often as it must be read, until the task is cancelled.
    func tendUntilCancelled() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.tendingInterval)
            guard !Task.isCancelled else { return }
            self.keeper.noteStrangers()
            if self.keeper.isDue { await self.keeper.read() }
        }
    }
}

extension Logger {
    fileprivate func log(_ event: KeyRingEvent) {
        switch event {
        case .made(let use, let keyID, let activeAt):
            self.notice(
                "ring_key_made",
                metadata: [
                    "use": "\(use.rawValue)", "kid": "\(keyID)", "active_at": "\(activeAt.wholeSecondRFC3339)",
                ])
        case .restored(let reason): self.warning("ring_restored", metadata: ["reason": "\(reason)"])
        case .failing(let reason): self.error("ring_failing", metadata: ["reason": "\(reason)"])
        case .working: self.notice("ring_working")
        case .strangers(true):
            self.warning(
                "ring_waiting",
                metadata: [
                    "reason":
                        "another server on this database does not rotate keys, so the keys in the files sign"
                ])
        case .strangers(false): self.notice("ring_allowed")
        }
    }
}
