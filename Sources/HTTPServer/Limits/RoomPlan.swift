import HTTPWire

/// Chooses which connections give way when too few places are left: first those without a whole request, then those
/// between two requests, then held polls. Of each kind the network with the most gives way, down to the level of the
/// others, so a network with few connections loses one last.
struct RoomPlan {
    struct Candidate {
        /// Where the caller finds it.
        let index: Int
        /// The client's IPv4 address or /48.
        let network: IPAddress
        let kind: Displacement
        /// It has waited for less than a second: its client may be about to send its request.
        let isFresh: Bool
    }

    /// The part of a network's connections that may be new and still wait for their request.
    private static let usualPart = 8

    /// All connections of each network, not only the candidates.
    let networks: [IPAddress: Int]
    let candidates: [Candidate]

    /// Returns the places of at least `order.unused` candidates that lose nothing, or of all there are, and of held polls
    /// only if that is less than `order.all`.
    func choose(_ order: AdmissionControl.RoomOrder) -> [Int] {
        var chosenIndices: [Int] = []
        for kind in Displacement.allCases {
            let missingCount = (kind == .poll ? order.all : order.unused) - chosenIndices.count
            guard missingCount > 0 else { continue }
            chosenIndices += Self.level(self.groups(of: kind, usual: order.usual), by: missingCount)
        }
        return chosenIndices
    }

    /// The candidates of a kind by network. Of those that are new, only what is more than usual.
    private func groups(of kind: Displacement, usual: Int) -> [[Int]] {
        var groups: [IPAddress: [Int]] = [:]
        var fresh: [IPAddress: Int] = [:]
        for candidate in self.candidates where candidate.kind == kind {
            if candidate.isFresh, kind != .poll {
                guard kind == .silent else { continue }
                let count = fresh[candidate.network, default: 0] + 1
                fresh[candidate.network] = count
                guard count > max(usual, self.networks[candidate.network, default: 0] / Self.usualPart) else {
                    continue
                }
            }
            groups[candidate.network, default: []].append(candidate.index)
        }
        return Array(groups.values)
    }

    /// Takes `count` from the largest groups, until they are as small as the next ones.
    private static func level(_ groups: [[Int]], by count: Int) -> [Int] {
        let all = groups.reduce(0) { $0 + $1.count }
        guard all > count else { return groups.flatMap { $0 } }
        // The highest level at which enough is above it.
        var (low, high) = (0, groups.reduce(0) { max($0, $1.count) })
        while low < high {
            let level = (low + high + 1) / 2
            let above = groups.reduce(0) { $0 + max(0, $1.count - level) }
            if above >= count { low = level } else { high = level - 1 }
        }
        // One level higher would be too few, so this may be too many by less than one for each group.
        var surplus = groups.reduce(0) { $0 + max(0, $1.count - low) } - count
        return groups.flatMap { group in
            let isSpared = surplus > 0 && group.count > low
            if isSpared { surplus -= 1 }
            return Array(group.dropFirst(isSpared ? low + 1 : low))
        }
    }
}

/// What a connection does that gives way to others. The first kinds give way first.
package enum Displacement: String, Sendable, CaseIterable {
    /// It has not sent a whole head yet. It is closed.
    case silent
    /// It has waited between two requests for more than a second. It is closed.
    case idle
    /// Its request waits for a change, or its stream has nothing to send. It gets its response early.
    case poll
}
