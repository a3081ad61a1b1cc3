import Base
import EventLoop
import Logins
import Synchronization

/// The store of logins and sessions in PostgreSQL, for any number of processes behind any load balancer.
///
/// Every change is one statement that commits by compare-and-swap on the revision. So if two processes get the same
/// callback, only one of them exchanges the code. A login is one row, in the partition of the hour of its creation.
/// Its tombstone disappears when the partition is dropped. A session is one row of a table without partitions.
package final class PostgresLoginStore: LoginStore {
    private static let everyHour = Int64.min...Int64.max
    /// The time between two checks of the partitions.
    private static let partitionInterval = Duration.seconds(60)
    /// How long a count of the open rows is valid.
    private static let countInterval = Duration.seconds(1)
    /// The most rows that are searched for what a process has left.
    private static let maxLeased = 10_000

    let pool: PostgresPool
    private let connector: PostgresConnector
    private let preparing: PostgresConnector
    private let listening: PostgresConnector
    let changes: PostgresChanges
    private let process: ProcessName
    let health: PostgresHealth
    private let recentLogins = RecentLogins()
    private let counter = PendingLoginCounter()
    private let keptAt = Mutex<Timestamp?>(nil)
    private let countedAt = Mutex<ContinuousClock.Instant?>(nil)

    /// Blocks until it knows that the schema fits or that the database is unreachable. If it is unreachable, the store
    /// retries in the background and is unavailable meanwhile. Throws if a retry cannot help. `observe` gets the reason
    /// if the store stops working, and nil when it works again. `knowsKeyRing` says to other processes that this one
    /// rotates keys with them.
    package init(
        _ settings: PostgresSettings, on loop: EventLoop, knowsKeyRing: Bool = false,
        observe: @escaping @Sendable (StorageError?) -> Void = { _ in }
    ) throws(StoreOpeningError) {
        let address = try settings.address
        let process = ProcessName.make(knowsKeyRing: knowsKeyRing)
        self.process = process
        self.connector = PostgresConnector(
            settings.isPooled ? address : address.limited(to: settings.statementTimeout).named(process),
            settings.password)
        let preparing = try settings.connector
        let listening = try settings.listenConnector(of: settings.isPooled ? nil : process)
        self.preparing = preparing
        self.listening = listening
        self.health = PostgresHealth(observe)
        self.pool = PostgresPool(
            self.connector, on: loop, connections: settings.statementConnections,
            timeout: settings.statementTimeout + .seconds(1), prepares: !settings.isPooled,
            health: StoreHealth(observe))
        self.changes = PostgresChanges(
            self.pool, settings, of: process, listening: listening, on: loop, health: StoreHealth(observe))
        do throws(StoreOpeningError) {
            try PostgresMigration.prepare(preparing, settings.migrate)
        } catch {
            guard case .unreachable(let cause) = error.cause else { throw error }
            self.pool.begin(after: cause) { () throws(PostgresError) in
                do throws(StoreOpeningError) { try PostgresMigration.prepare(preparing, settings.migrate) } catch {
                    throw PostgresError(.notConnected, error.storageError)
                }
            }
        }
    }

    /// Sets the passwords of connections that are opened from now on. No other setting changes.
    package func replacePasswords(with settings: PostgresSettings) {
        let own = settings.password ?? PostgresPassword((try? settings.address)?.password)
        for connector in [self.connector, self.preparing] { connector.replacePassword(with: own) }
        self.listening.replacePassword(
            with: settings.listenPassword ?? settings.password
                ?? PostgresPassword((try? settings.listenAddress)?.password))
    }

    /// The number of open rows at the last count.
    package var open: Int { max(0, self.counter.count) }

    /// The same at one of the servers that share the database, and 0 at the others, so that their sum is right. All of
    /// them report it while they do not see each other.
    package var reportedOpen: Int { self.changes.isFirst ? self.open : 0 }

    package var load: PoolLoad { self.pool.currentLoad }

    // MARK: - Rows

    package func load(_ id: LoginID) async throws(StoreError) -> SealedLogin? {
        let hours = self.recentLogins[id]?.hours ?? Self.recentHours
        var answer = try await self.ask(PostgresSQL.load(id, in: hours), .reading)
        if answer.isEmpty { answer = try await self.ask(PostgresSQL.load(id), .reading) }
        guard !answer.isEmpty else { return nil }
        let row = try self.health.read(.reading) { () throws(StorageError) in try PostgresSQL.row(answer, 0) }
        self.recentLogins.note(row.login, in: row.hour...row.hour)
        self.changes.read(id, row.login.revision, in: row.hour)
        return row.login
    }

    package func recent(_ id: LoginID) -> SealedLogin? { self.recentLogins[id]?.row }

    package func insert(_ row: SealedLogin, noting note: NoteAddition?) async throws(StoreError) -> Bool {
        let outcome = await self.pool.ask(PostgresSQL.insert(row, noting: note))
        guard let answer = try self.changeAnswer(outcome) else {
            guard let storedRow = try await self.loginAfterLoss(row.id) else { throw .unavailable }
            return storedRow == row
        }
        let isDone = try self.health.read(.writing) { () throws(StorageError) in try answer.boolean(0, 0) }
        guard isDone else { return false }
        self.counter.add(row.isOpen ? 1 : 0)
        self.recentLogins.note(row, in: Self.recentHours)
        return true
    }

    package func replace(
        _ row: SealedLogin, revision: Int64, noting note: NoteAddition?
    ) async throws(StoreError) -> Bool {
        let hours = self.hours(of: row.id)
        let outcome = await self.pool.ask(PostgresSQL.replace(row, revision: revision, in: hours, noting: note))
        guard let answer = try self.changeAnswer(outcome) else {
            let storedRow = try await self.loginAfterLoss(row.id)
            // The change may still be running.
            guard storedRow?.revision != revision else { throw .unavailable }
            guard storedRow == row else { return false }
            self.changes.noteWritten(row.id, row.revision, after: revision)
            return true
        }
        guard !answer.isEmpty else {
            self.recentLogins.forget(row.id)
            return false
        }
        let wasOpen = try self.health.read(.writing) { () throws(StorageError) in try answer.boolean(0, 0) }
        self.counter.add((row.isOpen ? 1 : 0) - (wasOpen ? 1 : 0))
        self.recentLogins.note(row, in: hours)
        self.changes.noteWritten(row.id, row.revision, after: revision)
        return true
    }

    package func remove(_ id: LoginID, revision: Int64) async throws(StoreError) -> Bool {
        let outcome = await self.pool.ask(PostgresSQL.remove(id, revision: revision, in: self.hours(of: id)))
        guard let answer = try self.changeAnswer(outcome) else {
            let storedRow = try await self.loginAfterLoss(id)
            guard storedRow?.revision != revision else { throw .unavailable }
            return storedRow == nil
        }
        guard !answer.isEmpty else { return false }
        let wasOpen = try self.health.read(.writing) { () throws(StorageError) in try answer.boolean(0, 0) }
        self.counter.add(wasOpen ? -1 : 0)
        return true
    }

    package func notes(ofReference reference: String) async throws(StoreError) -> [StoredNote] {
        let answer = try await self.ask(PostgresNotes.load(ofReference: reference), .reading)
        return try self.health.read(.reading) { () throws(StorageError) in try PostgresNotes.notes(answer) }
    }

    package func loadDue(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedLogin] {
        try await self.logins(PostgresSQL.due(at: now, limit: limit))
    }

    private func logins(_ statement: PostgresStatement) async throws(StoreError) -> [SealedLogin] {
        let answer = try await self.ask(statement, .reading)
        return try self.health.read(.reading) { () throws(StorageError) in
            var rows: [SealedLogin] = []
            for index in 0..<answer.count {
                let row = try PostgresSQL.row(answer, index)
                self.recentLogins.note(row.login, in: row.hour...row.hour)
                rows.append(row.login)
            }
            return rows
        }
    }

    // MARK: - Other processes

    package var processName: String { self.changes.isVisible ? self.process.text : "" }

    /// The rows have no order, so that two servers seldom want the same row at the same time.
    package func takeAbandoned(dueBy: Timestamp) async throws(StoreError) -> AbandonedLogins {
        let processes = await self.changes.endedProcesses()
        guard !processes.isEmpty else { return AbandonedLogins() }
        let rows = try await self.logins(PostgresSQL.leased(until: dueBy, limit: Self.maxLeased))
        self.changes.forget(processes)
        return AbandonedLogins(rows.shuffled(), leftBy: processes)
    }

    package func observeChanges(_ onChange: @escaping @Sendable (LoginID) -> Void) { self.changes.start(onChange) }
    /// Whether notifications of other processes arrive.
    var hearsChanges: Bool { self.changes.isHearing }
    package func watch(_ id: LoginID) { self.changes.watch(id) }
    package func unwatch(_ id: LoginID) { self.changes.unwatch(id) }

    // MARK: - The whole table

    /// Returns how many rows are open. Changes by this process count at once, changes by others within a second.
    package func openCount() async throws(StoreError) -> Int {
        let now = ContinuousClock.now
        let isFresh = self.countedAt.withLock { last in
            if let last, now - last < Self.countInterval { return true }
            last = now
            return false
        }
        if isFresh { return self.open }
        let before = self.counter.count
        do throws(StoreError) {
            let answer = try await self.ask(PostgresSQL.openCount, .reading)
            let count = try self.health.read(.reading) { () throws(StorageError) in Int(try answer.integer(0, 0)) }
            self.counter.add(count - before)
            return self.open
        } catch {
            self.countedAt.withLock { $0 = nil }
            throw error
        }
    }

    package func probe() async throws(StoreError) {
        _ = try self.health.unwrap(await self.pool.ask(PostgresSQL.probe), .writing)
    }

    /// Counts the open rows. From time to time it also creates the partitions of the next hours, drops old partitions
    /// that contain only tombstones past their time, and removes notes.
    package func tidy(at now: Timestamp) async {
        let isTime = self.keptAt.withLock { last in
            if let last, now - last < Self.partitionInterval, last <= now { return false }
            last = now
            return true
        }
        if isTime {
            _ = try? await self.ask(PostgresSQL.keepPartitions(at: now), .tending)
            await self.removeNotes(at: now)
        }
        _ = try? await self.openCount()
    }

    /// A failure is no reason to try at once: those that are left go with the next ones.
    private func removeNotes(at now: Timestamp) async {
        while let answer = try? await self.ask(PostgresNotes.removeDue(at: now), .tending),
            let hasMore = try? answer.boolean(0, 0), hasMore
        {}
    }

    /// Completes the waiting statements and refuses later ones. Returns when no connection is left; the loop is not
    /// needed after that.
    package func close() async {
        await self.changes.close()
        await self.pool.close()
    }

    // MARK: - Statements

    /// The hours to search for a row that is changed.
    private func hours(of id: LoginID) -> ClosedRange<Int64> { self.recentLogins[id]?.hours ?? Self.everyHour }

    /// The hours of nearly every login that is used now. The clock of the database, which decides, may be ahead.
    private static var recentHours: ClosedRange<Int64> {
        let hour = WallClock.now().milliseconds / 3_600_000
        return hour - 1...hour + 1
    }

    /// Runs a statement that may be repeated: if its response is lost, it is sent again.
    func ask(
        _ statement: PostgresStatement, _ work: PostgresHealth.Work
    ) async throws(StoreError) -> PostgresRows {
        let first = await self.pool.ask(statement)
        guard case .failure(let failure) = first, failure.kind == .lost else {
            return try self.health.unwrap(first, work)
        }
        return try self.health.unwrap(await self.pool.ask(statement), work)
    }

    /// Returns the row after a change whose response was lost. The change is ours if the row is byte for byte what we
    /// wrote.
    func foundAfterLoss<Row>(_ load: () async throws(StoreError) -> Row?) async throws(StoreError) -> Row? {
        for _ in 0..<5 {
            do throws(StoreError) { return try await load() } catch {
                // Connections may return soon. Without one we cannot know the result.
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
        return try await load()
    }

    private func loginAfterLoss(_ id: LoginID) async throws(StoreError) -> SealedLogin? {
        try await self.foundAfterLoss { () throws(StoreError) in try await self.load(id) }
    }

    /// Returns nil if the response was lost.
    func changeAnswer(_ outcome: PostgresSession.Outcome) throws(StoreError) -> PostgresRows? {
        guard case .failure(let failure) = outcome, failure.kind == .lost else {
            return try self.health.unwrap(outcome, .writing)
        }
        self.health.note(failure.cause, .writing)
        return nil
    }
}
