/// Which key of a list does what at a moment, and whether a list loses logins. A pure function of the times in the files:
///
///     made ──▶ published ──────────▶ active ──────────────▶ retired ──────────▶ removed
///              known, not used       signs, seals           verifies, opens
///                       publication              successor            retention
///
/// A key becomes active by itself, on every server in the same moment, so nobody can do it too early. The order of a list
/// means nothing.
import JOSE

package struct KeySchedule: Sendable {
    package enum Phase: String, Sendable {
        case published, active, retired
    }

    package struct Key: Sendable {
        /// The file, as messages name it.
        package let name: String
        package let times: KeyTimes
        /// What the key can do, by name. Keys that have one in common follow each other; the others are independent.
        let slots: Set<String>
        /// Names what is in the file.
        let id: String
        /// Not used before this moment, whatever the file says: this process has just learnt of it, and so have others.
        let notBefore: Timestamp?

        package init(
            _ name: String, _ times: KeyTimes, slots: Set<String>, id: String? = nil, notBefore: Timestamp? = nil
        ) {
            self.name = name
            self.times = times
            self.slots = slots
            self.id = id ?? name
            self.notBefore = notBefore
        }

        /// Nil: always.
        package var begins: Timestamp? {
            guard let active = self.times.active else { return nil }
            return self.notBefore.map { max($0, active) } ?? active
        }

        fileprivate func begins(after other: Key) -> Bool {
            guard let begins = self.begins else { return false }
            return other.begins.map { $0 < begins } ?? true
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

    /// The indices of all keys: those that are active first, in the order of the list unless one follows another.
    package var order: [Int] {
        let phases = self.keys.indices.map { self.phase($0) }
        var active = self.keys.indices.filter { phases[$0] == .active }
        for left in active.indices {
            for right in active.indices.dropFirst(left + 1) {
                let (first, second) = (self.keys[active[left]], self.keys[active[right]])
                if !first.slots.isDisjoint(with: second.slots), second.begins(after: first) {
                    active.swapAt(left, right)
                }
            }
        }
        return active + self.keys.indices.filter { phases[$0] == .retired }
            + self.keys.indices.filter { phases[$0] == .published }
    }

    /// When the next key becomes active.
    package var nextChange: Timestamp? { self.keys.compactMap(\.begins).filter { $0 > self.now }.min() }

    /// When a retired key may be removed; nil for one that is not retired.
    package func removable(_ index: Int) -> Timestamp? {
        guard self.phase(index) == .retired else { return nil }
        let key = self.keys[index]
        return key.slots.compactMap { self.successor(of: key, in: $0)?.begins }.max().map { $0 + self.retention }
    }

    /// What would lose logins, or make what was signed unverifiable, each with what to do.
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
        guard let created = key.times.created else {
            return "\(key.name): says when it becomes active and not when it was made: add a line `# created: …`"
        }
        guard active - created < self.use.publication else { return nil }
        let least = (created + self.use.publication).utcText
        return "\(key.name): becomes active too early, before every server and every cache knows it: at \(least), "
            + "\(self.use.publication.roughText) after it was made, at the earliest"
    }

    private func problems(of slot: String) -> [String] {
        let keys = self.keys.filter { $0.slots.contains(slot) }
        let timeless = keys.filter { $0.times.active == nil }
        if timeless.count > 1 {
            return timeless.dropFirst().map { key in
                "\(key.name): says not when it becomes active, and neither does \(timeless[0].name): make the key that "
                    + "follows another with `switchback keys rotate \(self.use.rawValue)`"
            }
        }
        guard timeless.isEmpty, let first = keys.min(by: { $1.begins(after: $0) }), let begins = first.times.active
        else { return [] }
        if begins > self.now {
            return [
                "\(first.name): becomes active at \(begins.utcText), in \((begins - self.now).roughText), and no other key "
                    + "is active before: name the one before it too"
            ]
        }
        let end = begins + self.retention
        guard end > self.now else { return [] }
        return [
            "\(first.name): the key before it is needed until \(end.utcText), for another "
                + "\((end - self.now).roughText): name it too"
        ]
    }

    private func hasBegun(_ key: Key) -> Bool { key.begins.map { $0 <= self.now } ?? true }

    /// The first key that took over from this one.
    private func successor(of key: Key, in slot: String) -> Key? {
        self.keys.filter { $0.slots.contains(slot) && self.hasBegun($0) && $0.begins(after: key) }
            .min { $1.begins(after: $0) }
    }
}
