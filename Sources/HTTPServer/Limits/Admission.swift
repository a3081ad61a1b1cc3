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

    /// What a connection has of the counted places, and gives back when it closes.
    enum Place {
        /// Among the counted ones. Nil where it counts for no address.
        case counted(IPAddress?)
        /// Among those that are told that they are refused.
        case refused
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

    /// Gives a place to others. Says how many connections are left where one of them has left.
    func release(_ place: Place) -> Int? {
        switch place {
        case .counted(let address): return self.release(address)
        case .refused:
            self.counts.withLock { $0.refused -= 1 }
            return nil
        }
    }

    private func release(_ address: IPAddress?) -> Int {
        self.counts.withLock { counts in
            counts.total -= 1
            guard self.limitPerAddress != nil, let address else { return counts.total }
            let key = address.network
            let left = counts.byAddress[key, default: 1] - 1
            counts.byAddress[key] = left > 0 ? left : nil
            return counts.total
        }
    }

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

/// Why a connection was not taken.
package enum ConnectionRefusal: String, Sendable, CaseIterable {
    case tooManyConnections = "too_many_connections"
    case tooManyFromAddress = "too_many_from_address"
    /// Where every connection begins with a PROXY header, whoever may not write one.
    case notFromProxy = "not_from_proxy"
    case badProxyHeader = "bad_proxy_header"
}
