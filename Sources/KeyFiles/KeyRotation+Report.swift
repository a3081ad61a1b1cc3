// What `switchback keys` prints of a rotation.

import Base

extension KeyRotation {
    package func text(of reason: WaitReason) -> String {
        let now = self.schedule.now
        return switch reason {
        case .published(let name, let active):
            "\(name) is published and becomes active automatically at \(active.wholeSecondRFC3339), in "
                + "\((active - now).roughText). Every server must have it before that"
        case .retired(let name, let end):
            "\(name) is retired and may be removed at \(end.wholeSecondRFC3339), in \((end - now).roughText). "
                + "Until then servers decrypt or verify with it"
        case .sealing(let name, let count):
            "\(name) \(Self.sealText(count)), which end without it. Servers seal them again with the active key, a few "
                + "every second"
        }
    }

    /// Each key with its phase, and when the phase ends.
    package var status: String {
        let schedule = self.schedule
        guard !schedule.keys.isEmpty else {
            return (["\(schedule.use.setting): none"] + self.lostText).joined(separator: "\n") + "\n"
        }
        let lines = schedule.keys.indices.map { index in
            self.line(index) + (self.count(index).map { "; \(Self.sealText($0))" } ?? "")
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
            return "  \(name)  active at \(active.wholeSecondRFC3339), in \((active - schedule.now).roughText)"
        case .active:
            return "  \(name)" + (schedule.keys[index].times.active.map { "  since \($0.wholeSecondRFC3339)" } ?? "")
        case .retired:
            guard let end = schedule.removable(index), end > schedule.now else {
                return "  \(name)  " + (self.count(index) ?? 0 > 0 ? "still needed" : "may be removed")
            }
            return "  \(name)  needed until \(end.wholeSecondRFC3339), for another \((end - schedule.now).roughText)"
        }
    }

    private static func sealText(_ count: Int) -> String { "seals \(Self.sessions(count))" }

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
