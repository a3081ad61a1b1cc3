/// The pending logins that this process created, by the network of their caller, and which of them nobody has opened.
///
/// It only decides which login makes room. What becomes of that is decided by its row, so a login that was opened at
/// another process loses nothing. A process that starts again has forgotten its logins; they end when their time is over.
import Base
import Synchronization

final class PendingLogins: Sendable {
    fileprivate struct Entry {
        let holder: Holder
        let until: Timestamp
        var isOpened: Bool
    }

    /// A list to whose end is added and from whose start is taken.
    fileprivate struct Line {
        private var logins: [LoginID] = []
        private var start = 0

        var first: LoginID? { self.start < self.logins.count ? self.logins[self.start] : nil }

        mutating func append(_ login: LoginID) { self.logins.append(login) }

        mutating func removeFirst() {
            self.start += 1
            guard self.start > 64, self.start > self.logins.count / 2 else { return }
            self.logins.removeFirst(self.start)
            self.start = 0
        }
    }

    /// A network and its logins. It is an object so that it is looked up once for each create.
    fileprivate final class Holder {
        let network: [UInt8]
        var pending = 0
        var unopened = 0
        /// The oldest first, those that have ended among them.
        var all = Line()
        /// The oldest first, those that have ended or were opened among them.
        var unopenedLine = Line()

        init(_ network: [UInt8]) { self.network = network }
    }

    fileprivate struct Contents {
        var entries: [LoginID: Entry] = [:]
        var holders: [[UInt8]: Holder] = [:]
        var unopened = 0
        /// The network that had the most unopened logins at the last look.
        var largest: Holder?
    }

    private let contents = Mutex(Contents())

    /// How many logins of this network are pending.
    func count(of network: [UInt8]) -> Int { self.contents.withLock { $0.holders[network]?.pending ?? 0 } }

    /// How many logins nobody has opened.
    var unopened: Int { self.contents.withLock { $0.unopened } }

    /// Counts a login. Returns one that has to make room, which is counted no longer.
    func add(
        _ login: LoginID, of network: [UInt8], isOpened: Bool, until: Timestamp, at now: Timestamp,
        _ shares: PendingShares
    ) -> LoginID? {
        self.contents.withLock { contents in
            contents.forgetWhatIsOver(of: network, at: now)
            guard let holder = contents.add(login, of: network, until: until, isOpened: isOpened) else { return nil }
            guard !isOpened else { return nil }
            if holder.unopened > shares.unopenedOfOne { return contents.takeOldestUnopened(of: holder) }
            guard contents.unopened > shares.unopened else { return nil }
            return contents.findLargest().flatMap { contents.takeOldestUnopened(of: $0) }
        }
    }

    /// Somebody has opened it.
    func open(_ login: LoginID) { self.contents.withLock { $0.open(login) } }

    /// It is not pending any more.
    func end(_ login: LoginID) { self.contents.withLock { $0.remove(login) } }
}

extension PendingLogins.Contents {
    /// Whose it is now; nil when it was counted before.
    fileprivate mutating func add(
        _ login: LoginID, of network: [UInt8], until: Timestamp, isOpened: Bool
    ) -> PendingLogins.Holder? {
        let known = self.holders[network]
        let holder = known ?? PendingLogins.Holder(network)
        let entry = PendingLogins.Entry(holder: holder, until: until, isOpened: isOpened)
        if let before = self.entries.updateValue(entry, forKey: login) {
            self.entries[login] = before
            return nil
        }
        if known == nil { self.holders[network] = holder }
        holder.pending += 1
        holder.all.append(login)
        guard !isOpened else { return holder }
        self.unopened += 1
        holder.unopened += 1
        holder.unopenedLine.append(login)
        if holder.unopened > self.largest?.unopened ?? 0 { self.largest = holder }
        return holder
    }

    fileprivate mutating func open(_ login: LoginID) {
        guard let entry = self.entries[login], !entry.isOpened else { return }
        self.entries[login]?.isOpened = true
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

    /// Another process may have seen them end.
    fileprivate mutating func forgetWhatIsOver(of network: [UInt8], at now: Timestamp) {
        guard let holder = self.holders[network] else { return }
        while let login = holder.all.first {
            guard self.entries[login].map({ $0.until <= now }) ?? true else { return }
            holder.all.removeFirst()
            self.remove(login)
        }
    }

    fileprivate mutating func takeOldestUnopened(of holder: PendingLogins.Holder) -> LoginID? {
        while let login = holder.unopenedLine.first {
            holder.unopenedLine.removeFirst()
            guard let entry = self.entries[login], !entry.isOpened else { continue }
            self.remove(login)
            return login
        }
        return nil
    }

    /// Looked for again only when the one that is known has no more than others have on average.
    fileprivate mutating func findLargest() -> PendingLogins.Holder? {
        let average = self.unopened / max(1, self.holders.count)
        if self.largest?.unopened ?? 0 <= average {
            self.largest = self.holders.values.max { $0.unopened < $1.unopened }
        }
        return self.largest
    }
}

/// How the room for pending logins is shared between those who create them.
package struct PendingShares: Equatable, Sendable {
    /// All that may be pending.
    let limit: Int

    init(limit: Int) { self.limit = limit }

    /// A caller with fewer than this has little.
    var small: Int { max(1, self.limit / 20) }
    /// From here on there is room only for those who have little.
    var large: Int { max(1, self.limit - self.limit / 4) }
    /// How many logins of one caller may wait for somebody to open them.
    var unopenedOfOne: Int { self.small }
    /// And of all callers.
    var unopened: Int { max(1, self.limit / 2) }
}
