import HTTPWire
import Synchronization

/// Counts the connections, in total and by network, and decides whether to admit one more.
///
///     0 ─────────── half ────────────── general ──── limit
///     no share binds │ shares bind      │ the reserve: networks with few connections, and those whose polls gave way
///
/// Near the limit connections give way (`RoomPlan`), so that a network with few of them is always served. Without a
/// limit by address none gives way: all connections are then those of a proxy.
///
/// One loop admits them. Any loop may release them.
final class AdmissionControl: Sendable {
    /// What the limits say. A reload may change them.
    private struct Rules {
        let limit: Int
        let limitPerAddress: Int?
        let refusals: Int
        /// The last places. A network that has few connections finds them free.
        let reserve: Int
        /// A network with fewer connections has few.
        let few: Int

        init(_ limits: ServerLimits) {
            self.limit = limits.connections
            self.limitPerAddress = limits.connectionsPerAddress
            self.refusals = limits.refusals
            self.reserve = max(1, limits.connections / 32)
            self.few = max(4, limits.connections / 256)
        }

        /// Where the reserve begins.
        var general: Int { self.limit - self.reserve }
        /// As many connections as may be left after polls have given way.
        var wellBelowLimit: Int { self.general + self.reserve / 4 }
    }

    private struct Counts {
        var rules: Rules
        var total = 0
        /// Those of which the client is not known yet, or waits for room. They take none from others: beside the limit
        /// there is room for as many as may be refused.
        var unknownCount = 0
        var knownCount: Int { self.total - self.unknownCount }
        var networks = NetworkCounts()
        /// How many clients of a network may return because their polls were answered early.
        var owed: [IPAddress: Int] = [:]
        /// Refused connections that get a response first. They are not in `total`.
        var refused = 0
        /// The loops that are making room now.
        var loopsMakingRoom = 0
        /// The connections that are about to close, as far as the loops have reported.
        var leaving = 0
        /// When it is worth looking again for connections that lose nothing, in milliseconds of the loops.
        var nextUnused = Int64.min
        /// When it is worth looking again for held polls.
        var nextPolls = Int64.min
        /// Whether the loops look for held polls too.
        var asksPolls = false
    }

    enum Decision: Equatable {
        case admitted
        /// The client gets a response if only a few others are getting one.
        case refused(ConnectionRefusal, politely: Bool)
        /// Others must give way first. Nothing is decided yet: ask again.
        case waits
    }

    /// How a connection is counted until it closes.
    enum Place {
        /// One of the admitted connections, and one of its client's networks if that is known.
        case counted
        /// One of the admitted connections, and of no network: the proxy made it for itself.
        case countedInTotal
        /// One of those whose client is not known yet.
        case unknown
        /// One of those whose client is known, and waits until others have given way.
        case waiting
        /// One of the refused connections that get a response.
        case refused
        /// Refused, and about to close.
        case uncounted
    }

    /// Each loop must look at all of its connections, so it does not look again at once when it found too few.
    private static let pause: Int64 = 100

    /// Whether clients are counted by network. It never changes, because those that are open were counted so.
    private let countsNetworks: Bool
    private let counts: Mutex<Counts>

    init(limits: ServerLimits) {
        self.countsNetworks = limits.connectionsPerAddress != nil
        self.counts = Mutex(Counts(rules: Rules(limits)))
    }

    /// Uses the numbers of these limits for connections that come from now on. Those that are open stay, as long as they
    /// need not give way.
    func replace(limits newLimits: ServerLimits) {
        self.counts.withLock { counts in
            var limits = newLimits
            let former = counts.rules.limitPerAddress
            limits.connectionsPerAddress = self.countsNetworks ? limits.connectionsPerAddress ?? former : nil
            counts.rules = Rules(limits)
        }
    }

    var total: Int { self.counts.withLock { $0.total } }

    /// The address is nil for a Unix socket.
    func admit(_ address: IPAddress?) -> Decision {
        self.counts.withLock { counts in
            guard counts.total < counts.rules.limit else { return self.refuse(.tooManyConnections, &counts) }
            if let address, let refusal = self.count(address, before: counts.total, &counts) {
                return self.refuse(refusal, &counts)
            }
            counts.total += 1
            return .admitted
        }
    }

    /// Admits a connection that begins with a PROXY header. Its client is counted when the header has come.
    func admitProxied() {
        self.counts.withLock { counts in
            counts.total += 1
            counts.unknownCount += 1
        }
    }

    /// Whether another connection may begin with a PROXY header. If too many are waiting for theirs, it must wait too.
    var takesProxied: Bool { self.counts.withLock { $0.unknownCount < $0.rules.refusals } }

    /// Called when an admitted connection turns out to be the proxy's own.
    func countForProxy() -> Decision {
        self.counts.withLock { counts in
            counts.unknownCount -= 1
            guard counts.knownCount > counts.rules.limit else { return .admitted }
            counts.total -= 1
            return self.refuse(.tooManyConnections, &counts)
        }
    }

    /// Called when the client of an admitted connection becomes known. If it is refused, it frees its slot at once.
    func count(_ address: IPAddress, mayWait: Bool = false) -> Decision {
        self.counts.withLock { counts in
            let others = counts.knownCount
            if others >= counts.rules.limit, mayWait, self.findsReserve(address, counts) { return .waits }
            counts.unknownCount -= 1
            let refusal =
                others >= counts.rules.limit ? .tooManyConnections : self.count(address, before: others, &counts)
            guard let refusal else { return .admitted }
            counts.total -= 1
            return self.refuse(refusal, &counts)
        }
    }

    /// Frees the slot. `address` is the client's. Returns how many admitted connections are left; nil for a refused one.
    func release(_ place: Place, of address: IPAddress?) -> Int? {
        self.counts.withLock { counts in
            switch place {
            case .refused:
                counts.refused -= 1
                return nil
            case .uncounted: return nil
            case .counted, .countedInTotal: break
            case .unknown, .waiting: counts.unknownCount -= 1
            }
            counts.total -= 1
            if 2 * counts.total <= counts.rules.limit, !counts.owed.isEmpty { counts.owed = [:] }
            if place == .counted, self.countsNetworks, let address { counts.networks.remove(address) }
            return counts.total
        }
    }

    /// `others` connections are there without this one.
    private func count(_ address: IPAddress, before others: Int, _ counts: inout Counts) -> ConnectionRefusal? {
        guard let limit = counts.rules.limitPerAddress else { return nil }
        // A campus has one /64 and a mobile carrier one IPv4 address, so they are held to a share only when that
        // protects others.
        if 2 * (others + 1) > counts.rules.limit, counts.networks.isFull(address, of: limit) {
            return .tooManyFromAddress
        }
        if others >= counts.rules.general {
            guard self.findsReserve(address, counts) else { return .tooManyConnections }
            if counts.networks.count(of: address) >= counts.rules.few, let owedCount = counts.owed[address.network(48)]
            {
                counts.owed[address.network(48)] = owedCount > 1 ? owedCount - 1 : nil
            }
        }
        counts.networks.add(address)
        return nil
    }

    /// Whether the reserve is for this client.
    private func findsReserve(_ address: IPAddress, _ counts: Counts) -> Bool {
        guard self.countsNetworks else { return false }
        return counts.networks.count(of: address) < counts.rules.few || counts.owed[address.network(48)] != nil
    }

    private func refuse(_ reason: ConnectionRefusal, _ counts: inout Counts) -> Decision {
        guard counts.refused < counts.rules.refusals else { return .refused(reason, politely: false) }
        counts.refused += 1
        return .refused(reason, politely: true)
    }
}

// MARK: - Making room

extension AdmissionControl {
    /// How many connections of each loop should give way.
    struct RoomOrder: Equatable {
        /// Those that lose nothing by it.
        let unused: Int
        /// With held polls, if the others are fewer than this.
        let all: Int
        /// How many new connections of one network may wait for their request.
        let usual: Int
    }

    /// Called before each client is accepted, with the time of the loops. Returns the order that `loops` loops must
    /// follow, if there is one, and whether the client must wait until they have.
    func makeRoom(at now: Int64, loops: Int) -> (order: RoomOrder?, waits: Bool) {
        guard self.countsNetworks else { return (nil, false) }
        return self.counts.withLock { counts in
            let isFull = counts.knownCount >= counts.rules.general
            guard counts.loopsMakingRoom == 0 else { return (nil, isFull) }
            let isLow = counts.knownCount >= counts.rules.general - counts.rules.reserve / 2 && now >= counts.nextUnused
            // Polls give way only to networks that have few connections, when these have used half of the reserve.
            let isReserveLow =
                counts.knownCount >= counts.rules.limit - counts.rules.reserve / 2 && now >= counts.nextPolls
            guard isLow || isReserveLow else { return (nil, false) }
            counts.loopsMakingRoom = loops
            counts.leaving = 0
            counts.asksPolls = isReserveLow
            let each = { (count: Int) in (max(0, count) + loops - 1) / loops }
            let order = RoomOrder(
                unused: each(counts.knownCount - counts.rules.general + counts.rules.reserve),
                all: isReserveLow ? each(counts.knownCount - counts.rules.wellBelowLimit) : 0,
                usual: max(2, counts.rules.limit / 2048 / loops))
            return (order, isFull)
        }
    }

    /// Called by each loop when it has followed the order. `leaving` of its connections are about to close, and `held`
    /// were polls of these networks, whose clients return.
    func noteRoom(leaving: Int, held: [IPAddress: Int], at now: Int64) {
        self.counts.withLock { counts in
            counts.leaving += leaving
            counts.owed.merge(held) { $0 + $1 }
            counts.loopsMakingRoom -= 1
            guard counts.loopsMakingRoom == 0 else { return }
            let remainingCount = counts.knownCount - counts.leaving
            counts.nextUnused = remainingCount > counts.rules.general - counts.rules.reserve ? now + Self.pause : now
            guard counts.asksPolls else { return }
            counts.nextPolls = remainingCount > counts.rules.wellBelowLimit ? now + Self.pause : now
        }
    }
}

/// Why a connection was refused.
package enum ConnectionRefusal: String, Sendable, CaseIterable {
    case tooManyConnections = "too_many_connections"
    case tooManyFromAddress = "too_many_from_address"
    /// Every connection must begin with a PROXY header, and this peer may not send one.
    case notFromProxy = "not_from_proxy"
    case badProxyHeader = "bad_proxy_header"
}
