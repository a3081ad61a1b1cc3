/// Counts the connections, in total and by address, and decides whether to admit one more.
///
/// One loop admits them. Any loop may release them.

import HTTPWire
import Synchronization

final class AdmissionControl: Sendable {
    private struct Counts {
        var total = 0
        var byAddress: [IPAddress: Int] = [:]
        /// Refused connections that get a response first. They are not in `total`.
        var refused = 0
    }

    enum Decision: Equatable {
        case admitted
        /// The client gets a response if only a few others are getting one.
        case refused(ConnectionRefusal, politely: Bool)
    }

    /// How a connection is counted until it closes.
    enum Place {
        /// One of the admitted connections, and one of its client's address if that is known.
        case counted
        /// One of the admitted connections, and of no address: behind a proxy, until the client is known and counted.
        case countedInTotal
        /// One of the refused connections that get a response.
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

    /// The address is nil while only the proxy in front is known; see `count`.
    func admit(_ address: IPAddress?) -> Decision {
        self.counts.withLock { counts in
            guard counts.total < self.limit else { return self.refuse(.tooManyConnections, &counts) }
            if let address {
                guard self.count(address, &counts) else { return self.refuse(.tooManyFromAddress, &counts) }
            }
            counts.total += 1
            return .admitted
        }
    }

    /// Called when the client of an admitted connection becomes known. Returns false, and counts nothing, if it has too
    /// many.
    func count(_ address: IPAddress) -> Bool { self.counts.withLock { self.count(address, &$0) } }

    /// Frees the slot. `address` is the client's. Returns how many admitted connections are left; nil for a refused one.
    func release(_ place: Place, of address: IPAddress?) -> Int? {
        switch place {
        case .counted: return self.release(address)
        case .countedInTotal: return self.release(nil)
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

    private func refuse(_ reason: ConnectionRefusal, _ counts: inout Counts) -> Decision {
        guard counts.refused < self.refusals else { return .refused(reason, politely: false) }
        counts.refused += 1
        return .refused(reason, politely: true)
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
