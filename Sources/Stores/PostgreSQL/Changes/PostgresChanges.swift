import EventLoop
import Logins
import Synchronization

/// Learns which awaited logins other processes change, and notifies them of our changes.
///
///     we wait:   read ──▶ notified, or found by a regular query ──▶ read again
///     we write:  NOTIFY after the commit, for many ids at once, unless no other process uses the database
///
/// Correctness never depends on a notification: one statement regularly queries all awaited rows.
final class PostgresChanges: Sendable {
    typealias Tell = @Sendable (LoginID) -> Void

    private struct State {
        var watched = WatchedLogins()
        /// When our own test notification arrived. Nil while LISTEN is interrupted.
        var heardSince: ContinuousClock.Instant?
        /// Counts the connections that have listened, so that only the latest one is tested.
        var listening = 0
        var isClosed = false
        var processes = LivingProcesses()
        /// Whether every session with a name is ours, as read last.
        var isAlone = false
        /// Whether a process that does not know the ring of keys has sessions, as read last. Nil if nothing was read.
        var hasStrangers: Bool?
        var tell: Tell = { _ in }
        var pollTask: Task<Void, Never>?
    }

    private static let batchSize = 500
    /// How long we wait for our own test notification.
    private static let notificationTimeout = Duration.seconds(3)
    /// The time between two queries while notifications arrive.
    private static let checkInterval = Duration.seconds(5)
    /// Other processes see after a second or two that they are not alone any more, and notify us from then on.
    private static let newcomerTime = Duration.seconds(3)

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
        let pollTask = Task.detached { [weak self] in
            var lastCheck = ContinuousClock.now
            while !Task.isCancelled, let settings = self?.settings {
                try? await Task.sleep(for: settings.pollInterval)
                guard self?.isTold != true || ContinuousClock.now - lastCheck >= Self.checkInterval else { continue }
                lastCheck = .now
                await self?.askAgain()
            }
        }
        self.state.withLock { state in
            state.tell = tell
            state.pollTask = pollTask
        }
        self.listener?.start()
    }

    func close() async {
        let pollTask = self.state.withLock { state in
            state.isClosed = true
            return state.pollTask
        }
        pollTask?.cancel()
        await self.listener?.close()
    }

    // MARK: - Watching

    func watch(_ id: LoginID) { self.state.withLock { $0.watched.begin(id) } }
    func unwatch(_ id: LoginID) { self.state.withLock { $0.watched.end(id) } }

    func read(_ id: LoginID, _ revision: Int64, in hour: Int64) {
        let isNews = self.state.withLock {
            $0.watched.read(WatchedLogins.Known(id: id, revision: revision, hour: hour))
        }
        if isNews { self.tell([id]) }
    }

    /// Records our own change, and notifies the other processes.
    func noteWritten(_ id: LoginID, _ revision: Int64, after before: Int64) {
        let (isNews, isAlone) = self.state.withLock { state in
            (state.watched.noteWritten(id, revision, after: before), state.isAlone)
        }
        if !isAlone, self.settings.wake == .notify { self.notifier.notify(id) }
        if isNews { self.tell([id]) }
    }

    private func tell(_ ids: [LoginID]) {
        let tell = self.state.withLock { $0.tell }
        for id in ids { tell(id) }
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
        let isDeaf = self.state.withLock { $0.heardSince == nil && $0.listening == number && !$0.isClosed }
        // If the notification could not be sent, it could not arrive.
        if isDeaf, isTold { self.health.note(.other(Self.advice)) }
        return isDeaf
    }

    private static let advice =
        "LISTEN hears nothing, perhaps because of a pooler: set postgresql.listen_url, or postgresql.wake to poll"

    private func loseHearing(_ cause: StorageError) {
        self.state.withLock { state in
            state.heardSince = nil
            state.isAlone = false
            state.hasStrangers = nil
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
            state.heardSince = .now
            return state.watched.ids
        }
        self.tell(all)
    }

    /// Whether our own test notification has arrived.
    var isHearing: Bool { self.state.withLock { $0.heardSince != nil } }

    // MARK: - Other processes

    /// Whether other processes see that this one lives: it has a session of its own that is no pooler's.
    var isVisible: Bool {
        !self.settings.isPooled
            && self.state.withLock { $0.heardSince != nil && $0.processes.contains(self.notifier.sender) }
    }

    /// Whether a process that does not know the ring of keys uses the database. Nil while the processes are not seen.
    var hasStrangers: Bool? { self.isVisible ? self.state.withLock { $0.hasStrangers } : nil }

    /// Whether this is the first of the processes that live, or sees none of them.
    var isFirst: Bool { self.state.withLock { $0.processes.isFirst(self.notifier.sender) } }

    /// Returns the processes that have ended. Reads the names of the sessions, so call it about once a second.
    func endedProcesses() async -> Set<String> {
        guard !self.settings.isPooled, let answer = await self.listener?.ask(ProcessName.statement) else { return [] }
        let sessions = (0..<answer.rows.count).map { try? answer.rows.bytes($0, 0) }
        let names = sessions.map { $0.flatMap { ProcessName.name(inSession: $0) } }
        return self.state.withLock { state in
            state.processes.note(Set(names.compactMap(\.self)), by: answer.session)
            state.isAlone = state.heardSince != nil && names.allSatisfy { $0 == self.notifier.sender }
            state.hasStrangers = sessions.contains { $0.map { ProcessName.isStranger($0) } ?? false }
            return state.processes.ended
        }
    }

    /// Reports these processes as ended no more.
    func forget(_ processes: Set<String>) { self.state.withLock { $0.processes.forget(processes) } }

    // MARK: - Regular queries

    /// Whether other processes notify us of every change.
    private var isTold: Bool {
        self.state.withLock { $0.heardSince.map { ContinuousClock.now - $0 > Self.newcomerTime } ?? false }
    }

    /// Whether we notify nobody.
    var isAlone: Bool { self.state.withLock { $0.isAlone } }

    private func askAgain() async {
        var remaining = self.state.withLock { $0.watched.knownRows }[...]
        while !remaining.isEmpty {
            let batch = Array(remaining.prefix(Self.batchSize))
            remaining = remaining.dropFirst(Self.batchSize)
            guard let answer = try? await self.pool.ask(ChangeStatements.revisions(batch)).get() else { return }
            var revisions: [LoginID: Int64] = [:]
            for index in 0..<answer.count {
                guard let id = (try? answer.bytes(index, 0)).flatMap({ LoginID($0) }) else { continue }
                revisions[id] = try? answer.integer(index, 1)
            }
            self.tell(self.state.withLock { $0.watched.takeChanged(batch, revisions) })
        }
    }
}
