import Base

/// The next step in changing the key of one list, and when it is allowed. This changes no configuration: it says what
/// to write there, and makes the file of the new key.
package struct KeyRotation: Sendable {
    package enum Step: Equatable, Sendable {
        /// Make a new key that follows this one, and add it to the list.
        case publish(after: String, active: Timestamp)
        /// Do nothing until the time that the text gives.
        case wait(String)
        /// Remove these keys, which are no longer needed.
        case remove([String])
        /// Several keys can be changed, so the operator must name one.
        case choose([String])
    }

    package let schedule: KeySchedule
    /// How many sessions each key has sealed, by the key's id. Nil if nobody knows, or for another list.
    private let sessionCounts: [String: Int]?

    package init(_ schedule: KeySchedule, sealed sessionCounts: [String: Int]? = nil) {
        self.schedule = schedule
        self.sessionCounts = schedule.use == .session ? sessionCounts : nil
    }

    /// Returns the next step. If several keys are active, `replacing` names the file of the key that the new one
    /// follows.
    package func next(replacing: String? = nil) -> Step {
        let schedule = self.schedule
        let indices = schedule.keys.indices
        if let index = indices.first(where: { schedule.phase($0) == .published }) {
            let key = schedule.keys[index]
            let active = key.times.active ?? schedule.now
            return .wait(
                "\(key.name) is published and becomes active automatically at \(active.utcText), in "
                    + "\((active - schedule.now).roughText). Every server must have it before that")
        }
        let retiredIndices = indices.filter { schedule.phase($0) == .retired }
        let neededKeys = retiredIndices.compactMap { index in schedule.removable(index).map { (index, $0) } }
            .filter { $0.1 > schedule.now }
        if let (index, end) = neededKeys.first {
            return .wait(
                "\(schedule.keys[index].name) is retired and may be removed at \(end.utcText), in "
                    + "\((end - schedule.now).roughText). Until then servers decrypt or verify with it")
        }
        if let index = retiredIndices.first(where: { self.count($0) ?? 0 > 0 }) {
            return .wait(
                "\(schedule.keys[index].name) \(self.sealText(index)), which end without it. Servers seal them again with "
                    + "the active key, a few every second")
        }
        if !retiredIndices.isEmpty { return .remove(retiredIndices.map { schedule.keys[$0].name }) }
        let active = indices.map { schedule.keys[$0].name }
        guard let name = replacing ?? (active.count == 1 ? active.first : nil), active.contains(name) else {
            return .choose(active)
        }
        return .publish(after: name, active: schedule.now + KeyUse.publication)
    }

    /// Returns the list to write into the configuration after the next step.
    package func names(after step: Step, adding file: String) -> [String] {
        let names = self.schedule.keys.map(\.name)
        switch step {
        case .publish: return names + [file]
        case .remove(let removedNames): return names.filter { !removedNames.contains($0) }
        case .wait, .choose: return names
        }
    }

    /// Makes the file of the key that follows the one in `former`.
    package func write(_ path: String, after former: String, at now: Timestamp) throws(FileError) {
        let text = ByteOrderMark.removed(from: try SystemFile.contents(of: former))
        let bytes = try Self.file(like: text, self.schedule.use, at: now)
        try SystemFile.create(path, bytes)
    }

    /// Makes a key of the same kind as the one in this file. It becomes active later.
    package static func file(
        like former: [UInt8], _ use: KeyUse, at now: Timestamp
    ) throws(FileError) -> [UInt8] {
        // The times in a file are whole seconds.
        let createdAt = Timestamp(seconds: now.seconds)
        let times = KeyTimes(created: createdAt, active: createdAt + KeyUse.publication)
        if let secret = use.secretKind { return try KeyGenerator.file(secret, times: times) }
        switch try SigningKeyFile.key(in: former).kind {
        case .p256: return try KeyGenerator.file(.es256, times: times)
        case .p384: return try KeyGenerator.file(.es384, times: times)
        case .p521: return try KeyGenerator.file(.es512, times: times)
        case .ed25519: return try KeyGenerator.file(.ed25519, times: times)
        case .rsa(let bits): return try KeyGenerator.file(.rs256, rsaBits: bits, times: times)
        }
    }

    /// Each key with its phase, and when the phase ends.
    package var status: String {
        let schedule = self.schedule
        guard !schedule.keys.isEmpty else {
            return (["\(schedule.use.setting): none"] + self.lostText).joined(separator: "\n") + "\n"
        }
        let lines = schedule.keys.indices.map { index in
            self.line(index) + (self.count(index) == nil ? "" : "; \(self.sealText(index))")
        }
        return "\(schedule.use.setting):\n" + (lines + self.lostText).joined(separator: "\n") + "\n"
    }

    private func line(_ index: Int) -> String {
        let schedule = self.schedule
        let phase = schedule.phase(index)
        let name = phase.rawValue.padded(to: 9) + "  " + schedule.keys[index].name
        switch phase {
        case .published:
            let active = schedule.keys[index].times.active ?? schedule.now
            return "  \(name)  active at \(active.utcText), in \((active - schedule.now).roughText)"
        case .active:
            return "  \(name)" + (schedule.keys[index].times.active.map { "  since \($0.utcText)" } ?? "")
        case .retired:
            guard let end = schedule.removable(index), end > schedule.now else {
                return "  \(name)  " + (self.count(index) ?? 0 > 0 ? "still needed" : "may be removed")
            }
            return "  \(name)  needed until \(end.utcText), for another \((end - schedule.now).roughText)"
        }
    }
}

/// The sessions that need a key.
extension KeyRotation {
    private func count(_ index: Int) -> Int? { self.sessionCounts.map { $0[self.schedule.keys[index].id] ?? 0 } }

    private func sealText(_ index: Int) -> String { "seals \(Self.sessions(self.count(index) ?? 0))" }

    /// What the store has sealed with keys that the list does not name.
    private var lostText: [String] {
        let keyIDs = Set(self.schedule.keys.map(\.id))
        let lostSessions = self.sessionCounts?.filter { !keyIDs.contains($0.key) }.values.reduce(0, +) ?? 0
        guard lostSessions > 0 else { return [] }
        return [
            "  missing    the key of \(Self.sessions(lostSessions)): list it again, or their users have to log in again"
        ]
    }

    private static func sessions(_ count: Int) -> String { count == 1 ? "1 session" : "\(count) sessions" }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - self.count))
    }
}
