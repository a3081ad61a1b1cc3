/// Learns which awaited logins other processes change, and notifies them of our changes.
///
///     we wait:   read ──▶ mark the row as awaited ──▶ notified, or found by a regular query ──▶ read again
///     we write:  the row was marked ──▶ NOTIFY after the commit, for many ids at once
///
/// Correctness never depends on a notification: one statement regularly queries all awaited rows.
import EventLoop
import Logins
import Synchronization

final class PostgresChanges: Sendable {
    typealias Tell = @Sendable (LoginID) -> Void

    private struct State {
        var watched = WatchedLogins()
        var isMarking = false
        var isHeard = false
        /// Counts the connections that have listened, so that only the latest one is tested.
        var listening = 0
        var isClosed = false
        var processes = LivingProcesses()
        var tell: Tell = { _ in }
        var asking: Task<Void, Never>?
    }

    /// The pause between reading a row and marking it. Most polls have their response by then, so nothing needs a mark.
    private static let markDelay = Duration.milliseconds(4)
    private static let batchSize = 500
    /// How long we wait for our own test notification.
    private static let notificationTimeout = Duration.seconds(3)
    /// The time between two queries while notifications arrive.
    private static let checkInterval = Duration.seconds(5)

    private let pool: PostgresPool
    private let settings: PostgresSettings
    private let health: StoreHealth
    private let notifier: PostgresNotifier
    private let state = Mutex(State())
    private let listener: PostgresListener?

    init(
        _ pool: PostgresPool, _ settings: PostgresSettings, of process: ProcessName,
        listening connector: PostgresConnector, on loop: EventLoop, health: StoreHealth
    ) {
        self.pool = pool
        self.settings = settings
        self.health = health
        self.notifier = PostgresNotifier(pool, sender: process.text)
        guard settings.wake == .notify else {
            self.listener = nil
            return
        }
        let relay = Relay()
        self.listener = PostgresListener(
            connector, on: loop, timeout: settings.statementTimeout,
            events: PostgresListener.Events(
                listening: { relay.changes?.beginHearing() }, lost: { relay.changes?.loseHearing($0) },
                notified: { relay.changes?.hear($0) }))
        relay.changes = self
    }

    /// This is safe because `changes` is set before any event can arrive.
    private final class Relay: @unchecked Sendable {
        weak var changes: PostgresChanges?
    }

    func start(_ tell: @escaping Tell) {
        let asking = Task.detached { [weak self] in
            var asked = ContinuousClock.now
            while !Task.isCancelled, let settings = self?.settings {
                try? await Task.sleep(for: settings.pollInterval)
                guard self?.isHeard != true || ContinuousClock.now - asked >= Self.checkInterval else { continue }
                asked = .now
                await self?.askAgain()
            }
        }
        self.state.withLock { state in
            state.tell = tell
            state.asking = asking
        }
        self.listener?.start()
    }

    func close() async {
        let asking = self.state.withLock { state in
            state.isClosed = true
            return state.asking
        }
        asking?.cancel()
        await self.listener?.close()
    }

    // MARK: - Watching

    func watch(_ id: LoginID) { self.state.withLock { $0.watched.begin(id) } }
    func unwatch(_ id: LoginID) { self.state.withLock { $0.watched.end(id) } }

    func read(_ id: LoginID, _ revision: Int64, in hour: Int64) {
        let (isNews, begins) = self.state.withLock { state in
            let isNews = state.watched.read(WatchedLogins.Known(id: id, revision: revision, hour: hour))
            return (isNews, self.beginsMarking(&state))
        }
        if begins { self.mark() }
        if isNews { self.tell([id]) }
    }

    /// Records our own change. `isAwaited` tells whether any process waits for it.
    func noteWritten(_ id: LoginID, _ revision: Int64, after before: Int64, isAwaited: Bool) {
        let (isNews, marks) = self.state.withLock { state in
            let isNews = state.watched.noteWritten(id, revision, after: before)
            return (isNews, self.beginsMarking(&state))
        }
        if marks { self.mark() }
        if isAwaited, self.settings.wake == .notify { self.notifier.notify(id) }
        if isNews { self.tell([id]) }
    }

    private func tell(_ ids: [LoginID]) {
        let tell = self.state.withLock { $0.tell }
        for id in ids { tell(id) }
    }

    // MARK: - Marking

    private func beginsMarking(_ state: inout State) -> Bool {
        guard self.settings.wake == .notify, !state.isMarking, state.watched.wantsMarks else { return false }
        state.isMarking = true
        return true
    }

    private func mark() {
        Task.detached {
            while true {
                try? await Task.sleep(for: Self.markDelay)
                let asked = self.state.withLock { state in
                    let asked = state.watched.takeUnmarked(Self.batchSize)
                    state.isMarking = !asked.isEmpty
                    return asked
                }
                guard !asked.isEmpty else { return }
                // If this fails, the regular query finds their changes.
                guard let marked = await self.fetchIDs(ChangeStatements.mark(asked)) else { continue }
                self.tell(self.state.withLock { $0.watched.takeUnmarkable(asked, marked: marked) })
            }
        }
    }

    private func fetchIDs(_ statement: PostgresStatement) async -> Set<LoginID>? {
        guard let answer = try? await self.pool.ask(statement).get() else { return nil }
        return Set((0..<answer.count).compactMap { (try? answer.bytes($0, 0)).flatMap { LoginID($0) } })
    }

    // MARK: - Receiving notifications

    /// Tests whether notifications arrive, until one does, because a pooler may accept LISTEN and then forget it.
    private func beginHearing() {
        let number = self.state.withLock { state in
            state.listening += 1
            return state.listening
        }
        Task.detached { [weak self] in
            while await self?.tryHearing(number) == true {}
        }
    }

    /// Returns false when no further test is needed.
    private func tryHearing(_ number: Int) async -> Bool {
        let isTold = await self.notifier.test()
        try? await Task.sleep(for: Self.notificationTimeout)
        let isDeaf = self.state.withLock { !$0.isHeard && $0.listening == number && !$0.isClosed }
        // If the notification could not be sent, it could not arrive.
        if isDeaf, isTold { self.health.note(.other(Self.advice)) }
        return isDeaf
    }

    private static let advice =
        "LISTEN hears nothing, perhaps because of a pooler: set postgresql.listen_url, or postgresql.wake to poll"

    private func loseHearing(_ cause: StorageError) {
        self.state.withLock { state in
            state.isHeard = false
            state.listening += 1
        }
        self.health.note(.other("LISTEN is interrupted: \(cause)"))
    }

    private func hear(_ payload: String) {
        let text = NotificationText(payload)
        guard text.sender == self.notifier.sender else { return self.tell(text.ids) }
        guard text.ids.isEmpty else { return }
        self.health.note(nil)
        // Notifications sent before now are lost, so every watched login counts as changed.
        let all = self.state.withLock { state in
            state.isHeard = true
            return state.watched.ids
        }
        self.tell(all)
    }

    // MARK: - Other processes

    /// Whether other processes see that this one lives: it has a session of its own that is no pooler's.
    var isVisible: Bool {
        !self.settings.isPooled
            && self.state.withLock { $0.isHeard && $0.processes.contains(self.notifier.sender) }
    }

    /// Returns the processes that have ended. Reads the names of the sessions, so call it about once a second.
    func endedProcesses() async -> Set<String> {
        guard !self.settings.isPooled, let answer = await self.listener?.ask(ProcessName.statement) else { return [] }
        let names = (0..<answer.rows.count).compactMap { try? answer.rows.bytes($0, 0) }
            .map { ProcessName.name(inSession: $0) }
        return self.state.withLock { state in
            state.processes.note(Set(names), by: answer.session)
            return state.processes.ended
        }
    }

    /// Reports these processes as ended no more.
    func forget(_ processes: Set<String>) { self.state.withLock { $0.processes.forget(processes) } }

    // MARK: - Regular queries

    private var isHeard: Bool { self.state.withLock { $0.isHeard } }

    private func askAgain() async {
        var left = self.state.withLock { $0.watched.known }[...]
        while !left.isEmpty {
            let asked = Array(left.prefix(Self.batchSize))
            left = left.dropFirst(Self.batchSize)
            guard let answer = try? await self.pool.ask(ChangeStatements.revisions(asked)).get() else { return }
            var revisions: [LoginID: Int64] = [:]
            for index in 0..<answer.count {
                guard let id = (try? answer.bytes(index, 0)).flatMap({ LoginID($0) }) else { continue }
                revisions[id] = try? answer.integer(index, 1)
            }
            self.tell(self.state.withLock { $0.watched.takeChanged(asked, revisions) })
        }
    }
}
