/// How often callers may create logins and look at them, counted in this process.
import EventLoop
import HTTPWire
import Logins
import Synchronization

package final class RequestLimits: Sendable {
    /// How often each thing may be done; nil is no limit.
    package struct Rates: Equatable, Sendable {
        package var createPerAddress = Rate(perMinute: 60)
        package var createPerApp = Rate(perMinute: 6000)
        /// Polls that do not wait, of one login.
        package var poll = Rate(burst: 5, interval: .seconds(2))

        package init() {}
    }

    private let addresses: Table<IPAddress>?
    private let apps: Table<String>?
    private let polls: Table<LoginID>?

    package init(_ rates: Rates = Rates()) {
        self.addresses = rates.createPerAddress.map { Table($0) }
        self.apps = rates.createPerApp.map { Table($0) }
        self.polls = rates.poll.map { Table($0) }
    }

    /// Counts a create for the caller's network: its address, or the /64 of it that one customer of IPv6 has.
    func takeCreate(from address: IPAddress, at now: Duration) throws(Problem) {
        try self.addresses?.take(address.network, at: now, else: .tooManyLogins)
    }

    func takeCreate(for app: String, at now: Duration) throws(Problem) {
        try self.apps?.take(app, at: now, else: .tooManyLogins)
    }

    /// Counts a poll that does not wait. The first of a login finds a full bucket.
    func takePoll(of login: LoginID, at now: Duration) throws(Problem) {
        try self.polls?.take(login, at: now, else: .pollingTooFast)
    }
}

extension RequestLimits {
    /// The buckets of one limit, for all threads.
    private final class Table<Key: Hashable & Sendable>: Sendable {
        private let buckets: Mutex<TokenBuckets<Key>>

        init(_ rate: Rate) { self.buckets = Mutex(TokenBuckets(rate)) }

        func take(_ key: Key, at now: Duration, else code: Problem.Code) throws(Problem) {
            switch self.buckets.withLock({ $0.take(key, at: now) }) {
            case .allowed: return
            case .refused(let retryAfter): throw Problem(code, retryAfter: retryAfter)
            }
        }
    }
}
