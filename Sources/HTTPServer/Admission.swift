/// Counts the connections, all of them and by address, and says whether there may be one more.
///
/// Accepted on one loop, given back on any.

import HTTPWire
import Synchronization

final class Admission: Sendable {
    private struct Counts {
        var total = 0
        var byAddress: [IPAddress: Int] = [:]
        /// Refused connections that are being told so. They are not in `total`.
        var refused = 0
    }

    enum Answer: Equatable {
        case admitted
        /// Told so if few others are being told.
        case refused(ConnectionRefusal, politely: Bool)
    }

    private let limit: Int
    private let limitPerAddress: Int?
    private let refusals: Int
    private let counts = Mutex(Counts())

    init(limits: ServerLimits) {
        self.limit = limits.connections
        self.limitPerAddress = limits.connectionsPerAddress
        self.refusals = limits.refusals
    }

    var total: Int { self.counts.withLock { $0.total } }

    /// Without an address while only the proxy in front is known; see `count`.
    func admit(_ address: IPAddress?) -> Answer {
        self.counts.withLock { counts in
            guard counts.total < self.limit else { return self.refuse(.tooManyConnections, &counts) }
            if let address {
                guard self.count(address, &counts) else { return self.refuse(.tooManyFromAddress, &counts) }
            }
            counts.total += 1
            return .admitted
        }
    }

    /// The client of an admitted connection is known now. False, and nothing counted, when it has too many.
    func count(_ address: IPAddress) -> Bool { self.counts.withLock { self.count(address, &$0) } }

    /// Gives an admitted connection's place to others. `address` is the counted one. Says how many are left.
    func release(_ address: IPAddress?) -> Int {
        self.counts.withLock { counts in
            counts.total -= 1
            guard self.limitPerAddress != nil, let address else { return counts.total }
            let key = address.network
            let left = counts.byAddress[key, default: 1] - 1
            counts.byAddress[key] = left > 0 ? left : nil
            return counts.total
        }
    }

    func releaseRefused() { self.counts.withLock { $0.refused -= 1 } }

    private func count(_ address: IPAddress, _ counts: inout Counts) -> Bool {
        guard let limit = self.limitPerAddress else { return true }
        let key = address.network
        guard counts.byAddress[key, default: 0] < limit else { return false }
        counts.byAddress[key, default: 0] += 1
        return true
    }

    private func refuse(_ reason: ConnectionRefusal, _ counts: inout Counts) -> Answer {
        guard counts.refused < self.refusals else { return .refused(reason, politely: false) }
        counts.refused += 1
        return .refused(reason, politely: true)
    }
}
