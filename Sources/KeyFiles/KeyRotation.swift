import Base

/// The next step in changing the key of one list, and when it is allowed. This changes no configuration: it says what
/// to write there, and makes the file of the new key.
package struct KeyRotation: Sendable {
    package enum Step: Equatable, Sendable {
        /// Make a new key that follows this one, and add it to the list.
        case publish(after: String, active: Timestamp)
        case wait(WaitReason)
        /// Remove these keys, which are no longer needed.
        case remove([String])
        /// Several keys can be changed, so the operator must name one.
        case choose([String])
    }

    /// Why the key cannot be changed yet.
    package enum WaitReason: Equatable, Sendable {
        /// This key is published, and becomes active at this time.
        case published(String, Timestamp)
        /// This key is retired, and needed until this time.
        case retired(String, Timestamp)
        /// This key is retired, and seals as many sessions.
        case sealing(String, Int)
    }

    package let schedule: KeySchedule
    /// How many sessions each key has sealed, by the key's id. Nil if nobody knows, or for another list.
    let sessionCounts: [String: Int]?

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
            return .wait(.published(key.name, active))
        }
        let retiredIndices = indices.filter { schedule.phase($0) == .retired }
        let neededKeys = retiredIndices.compactMap { index in schedule.removable(index).map { (index, $0) } }
            .filter { $0.1 > schedule.now }
        if let (index, end) = neededKeys.first {
            return .wait(.retired(schedule.keys[index].name, end))
        }
        if let index = retiredIndices.first(where: { self.count($0) ?? 0 > 0 }) {
            return .wait(.sealing(schedule.keys[index].name, self.count(index) ?? 0))
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

    /// Returns how many sessions a key has sealed; nil if nobody knows.
    func count(_ index: Int) -> Int? { self.sessionCounts.map { $0[self.schedule.keys[index].id] ?? 0 } }
}
