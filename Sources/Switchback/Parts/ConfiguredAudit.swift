import Audit
import Base
import KeyFiles
import KeyRing
import Logging
import LoginAPI
import Logins
import ServerConfiguration
import Sessions
import Synchronization
import Telemetry

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The audit of a server, if its configuration has one.
struct ConfiguredAudit: Sendable {
    let trail: AuditTrail
    private let ring: KeyRingKeeper
    private let now: @Sendable () -> Timestamp
    private let lastAutomaticKeys = LastKeys()

    /// The automatic keys that were recorded last.
    private final class LastKeys: Sendable {
        private let keys = Mutex<[AuditEvent.KeyInUse]>([])

        /// Returns whether they are others than before.
        func replace(with newKeys: [AuditEvent.KeyInUse]) -> Bool {
            self.keys.withLock { keys in
                defer { keys = newKeys }
                return keys != newKeys
            }
        }
    }

    /// Nil if nothing is recorded. Throws if the file cannot be written to.
    init?(
        _ configuration: Configuration, _ ring: KeyRingKeeper, logger: Logger,
        now: @escaping @Sendable () -> Timestamp
    ) throws {
        guard let path = configuration.audit.file, let signer = configuration.auditKeys.signer(.es256) else {
            return nil
        }
        self.ring = ring
        self.now = now
        do throws(FileError) {
            self.trail = try AuditTrail(
                path, policy: AuditTrail.Policy(configuration.audit.onFull), version: ServerVersion.text,
                host: Self.host, signer: signer, capacity: configuration.audit.waiting, now: now,
                report: { logger.log($0) })
        } catch {
            throw OperatorError("audit.file: \(path): \(error.message)")
        }
        self.note(configuration, .start)
    }

    /// The name of this machine.
    private static var host: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// What records for the requests under this configuration.
    func desk(for configuration: Configuration) -> AuditDesk? {
        configuration.serverKeys.first.map {
            AuditDesk(self.trail, names: AuditNames($0), recordsRenewals: configuration.audit.renewals)
        }
    }

    /// Records that this configuration is in use from now on.
    func reload(_ configuration: Configuration) { self.note(configuration, .reload) }

    private func note(_ configuration: Configuration, _ cause: AuditEvent.Cause) {
        self.trail.note(.configuration(digest: configuration.digest, cause: cause))
        let automaticKeys = self.automaticKeys
        _ = self.lastAutomaticKeys.replace(with: automaticKeys)
        self.note(configuration, automaticKeys)
    }

    /// Records the keys if an automatic one is in another phase than before.
    func noteAutomaticKeys(_ configuration: Configuration) {
        guard !self.ring.isPassive else { return }
        let keys = self.automaticKeys
        if self.lastAutomaticKeys.replace(with: keys) { self.note(configuration, keys) }
    }

    private var automaticKeys: [AuditEvent.KeyInUse] {
        guard !self.ring.isPassive, let keys = self.ring.ring?.keys else { return [] }
        let now = self.now()
        return keys.compactMap { key in
            key.phase(at: now).map {
                AuditEvent.KeyInUse(use: key.slot.use.rawValue, id: key.key.thumbprint, phase: $0.rawValue)
            }
        }
    }

    private func note(_ configuration: Configuration, _ automaticKeys: [AuditEvent.KeyInUse]) {
        // A reload may name no key, if the next start is to have no audit.
        guard let signer = configuration.auditKeys.signer(.es256) else { return }
        let keys = KeyUse.allCases.flatMap { use in
            configuration.keySchedules[use].map { schedule in
                schedule.keys.indices.map {
                    AuditEvent.KeyInUse(
                        use: use.rawValue, id: schedule.keys[$0].id, phase: schedule.phase($0).rawValue)
                }
            } ?? []
        }
        self.trail.sign(with: signer, keys: keys + automaticKeys)
    }

    func register(in registry: MetricsRegistry) {
        let trail = self.trail
        registry.observe(Metric.auditRecords, ["written"]) { Double(trail.counts.recorded) }
        registry.observe(Metric.auditRecords, ["dropped"]) { Double(trail.counts.dropped) }
        registry.observe(Metric.auditRecords, ["refused"]) { Double(trail.counts.refused) }
        registry.observe(Metric.auditQueue) { Double(trail.counts.waiting) }
    }
}

// MARK: - What has happened

extension ConfiguredAudit {
    /// Returns an observer that records, and then calls `other`.
    func observing(_ other: @escaping @Sendable (LoginEvent) -> Void) -> @Sendable (LoginEvent) -> Void {
        { event in
            self.observe(event)
            other(event)
        }
    }

    func observing(_ other: @escaping @Sendable (SessionEvent) -> Void) -> @Sendable (SessionEvent) -> Void {
        { event in
            self.observe(event)
            other(event)
        }
    }

    private func observe(_ event: LoginEvent) {
        guard case .acknowledged = event.step else { return }
        self.trail.note(
            .acknowledged(login: event.login?.description, app: event.app, provider: event.provider))
    }

    private func observe(_ event: SessionEvent) {
        let session = AuditEvent.Session(
            session: event.session?.description, app: event.app, provider: event.provider)
        switch event.step {
        case .pinSet: self.trail.note(.pinSet(session))
        case .lockedOut: self.trail.note(.sessionLocked(session))
        case .ended(let cause): self.trail.note(.sessionEnded(session, cause: cause.rawValue))
        case .begun, .attested, .attestationRefused, .attestationMissing, .renewed, .unlocked, .wrongPIN, .resealed,
            .rowRefused, .storeFailed:
            return
        }
    }
}

extension AuditTrail.Policy {
    fileprivate init(_ policy: AuditSettings.Policy) {
        switch policy {
        case .refuse: self = .refuse
        case .drop: self = .drop
        }
    }
}

extension Logger {
    fileprivate func log(_ notice: AuditTrail.Notice) {
        switch notice {
        case .failing(let reason): self.error("audit_failing", metadata: ["reason": "\(reason)"])
        case .working(let gap):
            self.notice(
                "audit_working",
                metadata: [
                    "dropped": .stringConvertible(gap?.dropped ?? 0), "refused": .stringConvertible(gap?.refused ?? 0),
                ])
        case .reopened: self.notice("audit_reopened")
        case .notReopened(let reason): self.error("audit_not_reopened", metadata: ["reason": "\(reason)"])
        case .lost(let count): self.error("audit_lost", metadata: ["count": .stringConvertible(count)])
        }
    }
}
