import Base
import DequeModule
import Synchronization

/// The pending logins that this process created, grouped by the network of their caller.
///
/// It only decides which login makes room. The row decides whether that login really ends, so a login that was opened
/// through another process is safe. After a restart this list is empty; earlier logins end at their deadline.
final class PendingLogins: Sendable {
    fileprivate struct Entry {
        let holder: NetworkEntry
        /// Seconds since 1970, up to one later than the deadline: half as many bytes as a `Timestamp`.
        private let until: UInt32
        var isOpened: Bool

        init(holder: NetworkEntry, until: Timestamp, isOpened: Bool) {
            self.holder = holder
            self.until = UInt32(clamping: until.seconds + 1)
            self.isOpened = isOpened
        }

        func isOver(at now: Timestamp) -> Bool { Int(self.until) <= now.seconds }
    }

    /// The logins of a network, the oldest first. Ended logins may still be in it.
    fileprivate struct LoginQueue {
        private var logins = Deque<LoginID>()
        /// So many logins at the front were opened or have ended. An opened login stays opened.
        private var openedCount = 0

        var first: LoginID? { self.logins.first }

        mutating func append(_ login: LoginID) { self.logins.append(login) }

        mutating func removeFirst() {
            self.logins.removeFirst()
            self.openedCount = max(0, self.openedCount - 1)
        }

        /// Returns the oldest login that `isUnopened` accepts, and never looks at it or at older ones again.
        mutating func takeUnopened(_ isUnopened: (LoginID) -> Bool) -> LoginID? {
            while self.openedCount < self.logins.count {
                let login = self.logins[self.openedCount]
                self.openedCount += 1
                if isUnopened(login) { return login }
            }
            return nil
        }
    }

    /// A network and its logins. It is a class, so that each create looks it up only once.
    fileprivate final class NetworkEntry {
        let network: [UInt8]
        /// An entry without a pending login is not among the `holders`.
        var pending = 0
        var unopened = 0
        var logins = LoginQueue()

        init(_ network: [UInt8]) { self.network = network }
    }

    fileprivate struct Contents {
        var entries = LoginDictionary<Entry>()
        var holders: [[UInt8]: NetworkEntry] = [:]
        var unopened = 0
        /// The network with the most unopened logins at the last search.
        var largest: NetworkEntry?
    }

    private let contents = Mutex(Contents())

    /// Returns how many logins of this network are pending.
    func count(of network: [UInt8]) -> Int { self.contents.withLock { $0.holders[network]?.pending ?? 0 } }

    /// The number of logins that no browser has opened yet.
    var unopened: Int { self.contents.withLock { $0.unopened } }

    /// Counts a login. Returns the login that has to make room for it, if any, which is then no longer counted.
    func add(
        _ login: LoginID, of network: [UInt8], isOpened: Bool, until: Timestamp, at now: Timestamp,
        _ shares: PendingLoginQuota
    ) -> LoginID? {
        self.contents.withLock { contents in
            let holder = contents.holders[network] ?? NetworkEntry(network)
            contents.forgetWhatIsOver(of: holder, at: now)
            guard contents.add(login, of: holder, until: until, isOpened: isOpened) else { return nil }
            guard !isOpened else { return nil }
            if holder.unopened > shares.unopenedOfOne { return contents.takeOldestUnopened(of: holder) }
            guard contents.unopened > shares.unopened else { return nil }
            return contents.findLargest().flatMap { contents.takeOldestUnopened(of: $0) }
        }
    }

    /// Notes that a browser has opened the login.
    func open(_ login: LoginID) { self.contents.withLock { $0.open(login) } }

    /// Notes that the login is no longer pending.
    func end(_ login: LoginID) { self.contents.withLock { $0.remove(login) } }
}

extension PendingLogins.Contents {
    /// Returns false if the login was counted before.
    fileprivate mutating func add(
        _ login: LoginID, of holder: PendingLogins.NetworkEntry, until: Timestamp, isOpened: Bool
    ) -> Bool {
        let entry = PendingLogins.Entry(holder: holder, until: until, isOpened: isOpened)
        if let before = self.entries.updateValue(entry, forKey: login) {
            self.entries[login] = before
            return false
        }
        if holder.pending == 0 { self.holders[holder.network] = holder }
        holder.pending += 1
        holder.logins.append(login)
        guard !isOpened else { return true }
        self.unopened += 1
        holder.unopened += 1
        if holder.unopened > self.largest?.unopened ?? 0 { self.largest = holder }
        return true
    }

    fileprivate mutating func open(_ login: LoginID) {
        guard var entry = self.entries[login], !entry.isOpened else { return }
        entry.isOpened = true
        self.entries[login] = entry
        self.unopened -= 1
        entry.holder.unopened -= 1
    }

    fileprivate mutating func remove(_ login: LoginID) {
        guard let entry = self.entries.removeValue(forKey: login) else { return }
        if !entry.isOpened {
            self.unopened -= 1
            entry.holder.unopened -= 1
        }
        entry.holder.pending -= 1
        if entry.holder.pending == 0 { self.holders[entry.holder.network] = nil }
    }

    /// Removes logins that are past their deadline. Another process may have ended them without our notice.
    fileprivate mutating func forgetWhatIsOver(of holder: PendingLogins.NetworkEntry, at now: Timestamp) {
        while let login = holder.logins.first {
            guard self.entries[login]?.isOver(at: now) ?? true else { return }
            holder.logins.removeFirst()
            self.remove(login)
        }
    }

    fileprivate mutating func takeOldestUnopened(of holder: PendingLogins.NetworkEntry) -> LoginID? {
        let oldest = holder.logins.takeUnopened { self.entries[$0]?.isOpened == false }
        if let oldest { self.remove(oldest) }
        return oldest
    }

    /// Searches again only when the known network has no more unopened logins than the average network.
    fileprivate mutating func findLargest() -> PendingLogins.NetworkEntry? {
        let average = self.unopened / max(1, self.holders.count)
        if self.largest?.unopened ?? 0 <= average {
            self.largest = self.holders.values.max { $0.unopened < $1.unopened }
        }
        return self.largest
    }
}

/// How callers share the room for pending logins.
package struct PendingLoginQuota: Equatable, Sendable {
    /// The most logins that may be pending in total.
    let limit: Int

    init(limit: Int) { self.limit = limit }

    /// A caller with fewer pending logins than this counts as small.
    var small: Int { max(1, self.limit / 20) }
    /// From this number of pending logins on, only small callers may create more.
    var large: Int { max(1, self.limit - self.limit / 4) }
    /// The most logins of one caller that may wait to be opened.
    var unopenedOfOne: Int { self.small }
    /// The most logins of all callers that may wait to be opened.
    var unopened: Int { max(1, self.limit / 2) }
}
