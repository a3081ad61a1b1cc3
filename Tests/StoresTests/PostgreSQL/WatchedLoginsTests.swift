import Logins
import Testing

@testable import Stores

/// Which login wakes when, and what the other values of the store decide. Nothing here uses a socket.
@Suite struct WatchedLoginsTests {
    private let id: LoginID

    init() throws { self.id = try #require(LoginID(Array(repeating: 7, count: 16))) }

    private func known(_ revision: Int64) -> WatchedLogins.Known {
        WatchedLogins.Known(id: self.id, revision: revision, hour: 1)
    }

    @Test func `a login that nobody waits for is not known`() {
        var watched = WatchedLogins()
        #expect(watched.read(self.known(1)) == false)
        #expect(watched.isEmpty)
        watched.begin(self.id)
        watched.begin(self.id)
        watched.end(self.id)
        #expect(watched.read(self.known(1)) == false)
        #expect(watched.knownRows == [self.known(1)])
        watched.end(self.id)
        #expect(watched.isEmpty)
    }

    @Test func `a read of a later revision counts as a change`() {
        var watched = WatchedLogins()
        watched.begin(self.id)
        #expect(watched.read(self.known(1)) == false)
        #expect(watched.read(self.known(1)) == false)
        #expect(watched.read(self.known(2)) == true, "who waited here knows less")
        #expect(watched.knownRows == [self.known(2)])
    }

    @Test func `a change of our own is not reported`() {
        var watched = WatchedLogins()
        watched.begin(self.id)
        #expect(watched.noteWritten(self.id, 2, after: 1) == false, "nobody has read anything yet")
        _ = watched.read(self.known(1))
        #expect(watched.noteWritten(self.id, 2, after: 1) == false)
        #expect(watched.takeChanged([self.known(1)], [self.id: 2]) == [], "an answer that was overtaken")
        #expect(watched.noteWritten(self.id, 4, after: 3) == true, "3 was somebody else's")
    }

    @Test func `a change that a query finds is reported once`() {
        var watched = WatchedLogins()
        watched.begin(self.id)
        _ = watched.read(self.known(1))
        #expect(watched.takeChanged([self.known(1)], [self.id: 1]) == [])
        #expect(watched.takeChanged([self.known(1)], [self.id: 2]) == [self.id])
        #expect(watched.takeChanged([self.known(1)], [self.id: 2]) == [])
        _ = watched.read(self.known(2))
        #expect(watched.takeChanged([self.known(2)], [:]) == [self.id], "it is gone")
    }

    @Test func `a notification is read back as it was`() {
        let text = NotificationText(sender: "one", ids: [self.id, self.id])
        #expect(NotificationText(text.text) == text)
        #expect(NotificationText("").ids == [] && NotificationText("one nonsense").ids == [])
        let most = NotificationText(
            sender: ProcessName.make().text, ids: Array(repeating: self.id, count: NotificationText.maxIDs))
        #expect(most.text.utf8.count < 8_000)
    }
}

@Suite struct StatementQueueTests {
    @Test func `connections are opened while a statement waits`() {
        var waiting = StatementQueue<Int>(maxConnections: 2, limit: 3)
        #expect(waiting.claimConnection() == false)
        #expect(waiting.add(1) == .wait(0))
        #expect(waiting.claimConnection() == true)
        #expect(waiting.claimConnection() == false, "one after the other")
        waiting.noteConnected()
        #expect(waiting.next() == 1)
        #expect(waiting.claimConnection() == false)
        for number in 2...4 { #expect(waiting.add(number) == .wait(number - 1)) }
        #expect(waiting.add(5) == .refuse(.overloaded))
        #expect(waiting.claimConnection() == true)
        waiting.noteConnected()
        #expect(waiting.claimConnection() == false, "no more than two")
        #expect(waiting.withdraw(2) == 3)
        #expect(waiting.withdraw(2) == nil)
        #expect(waiting.takeAll() == [2, 4])
    }

    @Test func `without a connection nothing piles up`() {
        var waiting = StatementQueue<Int>(maxConnections: 2)
        _ = waiting.add(1)
        #expect(waiting.claimConnection() == true)
        waiting.noteConnectFailure(.full)
        #expect(waiting.takeAll() == [1])
        #expect(waiting.add(2) == .refuse(.full))
        #expect(waiting.claimConnection() == false)
        waiting.pauseEnded()
        #expect(waiting.claimConnection() == true, "also while nobody waits")
        #expect(waiting.add(3) == .refuse(.full), "it may take as long as the last time")
        waiting.noteConnected()
        #expect(waiting.add(3) == .wait(1))
        waiting.close()
        #expect(waiting.add(4) == .refuse(.closed))
        #expect(waiting.next() == 3)
    }

    @Test func `the pause between connections grows and is random`() {
        var (least, most) = (ReconnectBackoff(), ReconnectBackoff())
        let pauses = (0..<8).map { _ in (least.next(random: 0), most.next(random: 1)) }
        #expect(pauses.map(\.1) == [100, 200, 400, 800, 1600, 3200, 5000, 5000].map { .milliseconds($0) })
        #expect(pauses.allSatisfy { $0.0 * 2 == $0.1 })
        most.reset()
        #expect(most.next(random: 1) == .milliseconds(100))
    }
}
