import Base

/// What each key of a list does at a given time, and whether a list loses logins. A pure function of the times in the
/// files:
///
///     made ──▶ published ──────────▶ active ──────────────▶ retired ──────────▶ removed
///              known, not used       signs, encrypts        verifies, decrypts
///                       publication              successor            retention
///
/// A key becomes active automatically, at the same time on every server, so no operator can do it too early. The order
/// of a list means nothing.
package struct KeySchedule: Sendable {
    package enum Phase: String, CaseIterable, Sendable {
        case published, active, retired
    }

    package struct Key: Sendable {
        /// The name of the file in messages.
        package let name: String
        package let times: KeyTimes
        /// The names of what the key can do. Keys that have one in common replace each other; the others are
        /// independent.
        let slots: Set<String>
        /// Identifies the key itself, whatever else its file says.
        package let id: String

        package init(_ name: String, _ times: KeyTimes, slots: Set<String>, id: String? = nil) {
            self.name = name
            self.times = times
            self.slots = slots
            self.id = id ?? name
        }

        fileprivate func begins(after other: Key) -> Bool {
            guard let active = self.times.active else { return false }
            return other.times.active.map { $0 < active } ?? true
        }

        /// Whether it replaces the other key in some of what both can do.
        fileprivate func follows(_ other: Key) -> Bool {
            !self.slots.isDisjoint(with: other.slots) && self.begins(after: other)
        }
    }

    package let use: KeyUse
    package let keys: [Key]
    let retention: Duration
    package let now: Timestamp

    package init(_ use: KeyUse, _ keys: [Key], retention: Duration, now: Timestamp) {
        self.use = use
        self.keys = keys
        self.retention = retention
        self.now = now
    }

    package func phase(_ index: Int) -> Phase {
        let key = self.keys[index]
        guard self.hasBegun(key) else { return .published }
        return key.slots.allSatisfy { self.successor(of: key, in: $0) != nil } ? .retired : .active
    }

    /// The indices of all keys, active ones first, in the order of the list unless one follows another.
    package var order: [Int] {
        let phases = self.keys.indices.map { self.phase($0) }
        var active: [Int] = []
        for index in self.keys.indices where phases[index] == .active {
            let former = active.firstIndex { self.keys[index].follows(self.keys[$0]) }
            active.insert(index, at: former ?? active.endIndex)
        }
        return active + self.keys.indices.filter { phases[$0] == .retired }
            + self.keys.indices.filter { phases[$0] == .published }
    }

    /// When the next key becomes active.
    package var nextChange: Timestamp? { self.keys.compactMap(\.times.active).filter { $0 > self.now }.min() }

    /// Returns when a retired key may be removed; nil for a key that is not retired.
    package func removable(_ index: Int) -> Timestamp? {
        guard self.phase(index) == .retired else { return nil }
        let key = self.keys[index]
        return key.slots.compactMap { self.successor(of: key, in: $0)?.times.active }.max().map { $0 + self.retention }
    }

    /// Problems that would lose logins, or make signatures unverifiable. Each says what to do.
    package var problems: [String] {
        let single = self.keys.flatMap { self.problem(of: $0).map { [$0] } ?? [] }
        guard single.isEmpty else { return single }
        var problems: [String] = []
        for slot in Set(self.keys.flatMap(\.slots)).sorted() {
            for problem in self.problems(of: slot) where !problems.contains(problem) { problems.append(problem) }
        }
        return problems
    }

    private func problem(of key: Key) -> String? {
        guard let active = key.times.active else { return nil }
        guard let createdAt = key.times.created else {
            return "\(key.name): says when it becomes active but not when it was made. Add a line `# created: …`"
        }
        guard active - createdAt < KeyUse.publication else { return nil }
        let least = (createdAt + KeyUse.publication).wholeSecondRFC3339
        return
            "\(key.name): becomes active before every server and every cache knows it. Its line `# active:` must say "
            + "\(least) or later, \(KeyUse.publication.roughText) after it was made"
    }

    private func problems(of slot: String) -> [String] {
        let keys = self.keys.filter { $0.slots.contains(slot) }
        let timeless = keys.filter { $0.times.active == nil }
        if timeless.count > 1 {
            return timeless.dropFirst().map { key in
                "\(key.name): does not say when it becomes active, and neither does \(timeless[0].name). Make the "
                    + "newer key with `switchback keys rotate \(self.use.rawValue)`"
            }
        }
        guard timeless.isEmpty, let first = keys.min(by: { $1.begins(after: $0) }), let begins = first.times.active
        else { return [] }
        if begins > self.now {
            return [
                "\(first.name): becomes active at \(begins.wholeSecondRFC3339), in \((begins - self.now).roughText), "
                    + "and no other key is active until then. List the key before it too"
            ]
        }
        let end = begins + self.retention
        guard end > self.now else { return [] }
        return [
            "\(first.name): the key before it is needed until \(end.wholeSecondRFC3339), for another "
                + "\((end - self.now).roughText). List it too"
        ]
    }

    /// Returns what this list would break where `former` is in use. Each problem says what to do. A restart skips this
    /// check, because that is how an operator replaces a stolen key.
    package func problems(after former: KeySchedule) -> [String] {
        let (formerIDs, currentIDs) = (Set(former.keys.map(\.id)), Set(self.keys.map(\.id)))
        let removedIndices = former.keys.indices.filter {
            former.phase($0) == .active && !currentIDs.contains(former.keys[$0].id)
        }
        let late = self.keys.filter { !formerIDs.contains($0.id) && self.hasBegun($0) && $0.times.active != nil }
        return removedIndices.map { index in
            "\(former.keys[index].name): is in use and must stay in the list. Replace it with `switchback keys rotate "
                + "\(self.use.rawValue)`, or restart the server to drop it and what was made with it"
        }
            + late.map { key in
                "\(key.name): is new to this server, but should be active already. Other servers may not know it either. "
                    + "Write a later time into its line `# active:`, and give every server the file before that time"
            }
    }

    private func hasBegun(_ key: Key) -> Bool { key.times.active.map { $0 <= self.now } ?? true }

    /// Returns the first key that took over from this one.
    private func successor(of key: Key, in slot: String) -> Key? {
        self.keys.filter { $0.slots.contains(slot) && self.hasBegun($0) && $0.begins(after: key) }
            .min { $1.begins(after: $0) }
    }
}
