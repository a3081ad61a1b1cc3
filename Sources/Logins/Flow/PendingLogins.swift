/// The pending logins that this process created, by the network of their caller, and which of them nobody has opened.
///
/// It only decides which login makes room. What becomes of that is decided by its row, so a login that was opened at
/// another process loses nothing. A process that starts again has forgotten its logins; they end when their time is over.
import JOSE
import Synchronization

final class PendingLogins: Sendable {
    fileprivate struct Entry {
        let network: [UInt8]
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

    fileprivate struct Holder {
        var pending = 0
        var unopened = 0
        /// The oldest first, those that have ended among them.
        var all = Line()
        /// The oldest first, those that have ended or were opened among them.
        var unopenedLine = Line()
    }

    fileprivate struct Contents {
        var entries: [LoginID: Entry] = [:]
        var holders: [[UInt8]: Holder] = [:]
        var unopened = 0
        /// The network that had the most unopened logins at the last look.
        var largest: [UInt8] = []
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
            guard contents.entries[login] == nil else { return nil }
            contents.add(login, Entry(network: network, until: until, isOpened: isOpened))
            guard !isOpened else { return nil }
            if contents.holders[network]?.unopened ?? 0 > shares.unopenedOfOne {
                return contents.takeOldestUnopened(of: network)
            }
            guard contents.unopened > shares.unopened else { return nil }
            return contents.takeOldestUnopened(of: contents.findLargest())
        }
    }

    /// Somebody has opened it.
    func open(_ login: LoginID) { self.contents.withLock { $0.open(login) } }

    /// It is not pending any more.
    func end(_ login: LoginID) { self.contents.withLock { $0.remove(login) } }
}

extension PendingLogins.Contents {
    fileprivate mutating func add(_ login: LoginID, _ entry: PendingLogins.Entry) {
        self.entries[login] = entry
        self.holders[entry.network, default: PendingLogins.Holder()].pending += 1
        self.holders[entry.network]?.all.append(login)
        guard !entry.isOpened else { return }
        self.unopened += 1
        self.holders[entry.network]?.unopened += 1
        self.holders[entry.network]?.unopenedLine.append(login)
        let most = self.holders[self.largest]?.unopened ?? 0
        if self.holders[entry.network]?.unopened ?? 0 > most { self.largest = entry.network }
    }

    fileprivate mutating func open(_ login: LoginID) {
        guard let entry = self.entries[login], !entry.isOpened else { return }
        self.entries[login]?.isOpened = true
        self.unopened -= 1
        self.holders[entry.network]?.unopened -= 1
    }

    fileprivate mutating func remove(_ login: LoginID) {
        self.open(login)
        guard let entry = self.entries.removeValue(forKey: login) else { return }
        self.holders[entry.network]?.pending -= 1
        if self.holders[entry.network]?.pending == 0 { self.holders[entry.network] = nil }
    }

    /// Another process may have seen them end.
    fileprivate mutating func forgetWhatIsOver(of network: [UInt8], at now: Timestamp) {
        while let login = self.holders[network]?.all.first {
            guard self.entries[login].map({ $0.until <= now }) ?? true else { return }
            self.holders[network]?.all.removeFirst()
            self.remove(login)
        }
    }

    fileprivate mutating func takeOldestUnopened(of network: [UInt8]) -> LoginID? {
        while let login = self.holders[network]?.unopenedLine.first {
            self.holders[network]?.unopenedLine.removeFirst()
            guard let entry = self.entries[login], !entry.isOpened else { continue }
            self.remove(login)
            return login
        }
        return nil
    }

    /// Looked for again only when the one that is known has no more than others have on average.
    fileprivate mutating func findLargest() -> [UInt8] {
        let average = self.unopened / max(1, self.holders.count)
        if self.holders[self.largest]?.unopened ?? 0 <= average {
            self.largest = self.holders.max { $0.value.unopened < $1.value.unopened }?.key ?? []
        }
        return self.largest
    }
}
