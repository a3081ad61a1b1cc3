import Foundation
import SwitchbackClient

// Safe because the values are touched only while the lock is held.
/// The phone of a case: a network that gives responses when it is told to, a clock that it is told, and a store.
final class CasePhone: @unchecked Sendable {
    struct Offline: Error {}

    private let lock = NSLock()
    private var words: [UInt64] = []
    private var jitter = 0.0
    private var seconds = 1000.0
    /// What the client of this process has decided on, and how many events it has handled.
    private var decided: (process: Int, requests: Int, timers: Int, states: Int, events: Int) = (0, 0, 0, 0, 0)
    private var hasEnded = false
    private var requests: [JSONValue] = []
    private var calls: [Int: CheckedContinuation<HTTPResponse, any Error>] = [:]
    private var timers: [Int: (time: Double, continuation: CheckedContinuation<Void, any Error>)] = [:]
    private var (timerCount, setCount) = (0, 0)
    private var stored: [SavedLogin.ID: SavedLogin] = [:]
    private var failsToStore = false
    private var failureCount = 0
    private var shownStates: [LoginState] = []
    private var isStreamOver = false

    /// It cannot go back, as in every case.
    let startedAt = Date(timeIntervalSince1970: 1_800_000_000)

    /// The dependencies of a new process. If the store has no login then, the process has none to handle events.
    func makeDependencies() -> LoginClientDependencies {
        let process = self.locked {
            self.decided.process += 1
            self.decided = (self.decided.process, self.requests.count, self.setCount, self.shownStates.count, 0)
            self.hasEnded = self.stored.isEmpty
            return self.decided.process
        }
        var dependencies = LoginClientDependencies { [self] in try await self.answer($0) }
        dependencies.sleep = { [self] in try await self.sleep($0) }
        dependencies.now = { [self] in MonotonicInstant(seconds: self.locked { self.seconds }) }
        dependencies.date = { [startedAt] in startedAt }
        dependencies.random = { [self] in self.random() }
        dependencies.observe = { [self] in self.add($0, of: process) }
        return dependencies
    }

    /// A process that was killed may still decide on something, which no longer counts.
    private func add(_ step: LoginStep, of process: Int) {
        self.locked {
            guard process == self.decided.process else { return }
            switch step {
            case .sends: self.decided.requests += 1
            case .waits: self.decided.timers += 1
            case .shows: self.decided.states += 1
            case .handled: self.decided.events += 1
            case .ended: self.hasEnded = true
            }
        }
    }

    /// The events that this process has handled.
    var handled: Int { self.locked { self.decided.events } }

    /// Whether these events were handled, and everything that the client decided on has come. The client does nothing
    /// more then until the next event.
    func isQuiet(after events: Int) -> Bool {
        self.locked {
            (self.decided.events >= events || self.hasEnded) && self.requests.count >= self.decided.requests
                && self.setCount >= self.decided.timers
                && (self.isStreamOver || self.shownStates.count >= self.decided.states)
        }
    }

    func locked<Result>(_ body: () -> Result) -> Result {
        self.lock.lock()
        defer { self.lock.unlock() }
        return body()
    }

    // MARK: - Random numbers

    /// A login takes its secret when it starts, and one number for each event that it handles.
    private func random() -> UInt64 {
        self.locked {
            if !self.words.isEmpty { return self.words.removeFirst() }
            return UInt64(self.jitter * Double(UInt64(1) << 53)) << 11
        }
    }

    /// Prepares for a login that begins.
    func prepare(secret words: [UInt64]) { self.locked { (self.words, self.hasEnded) = (words, false) } }
    func set(jitter: Double) { self.locked { self.jitter = jitter } }

    // MARK: - The network

    /// It waits also when its task was cancelled: a response may come late.
    private func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await withCheckedThrowingContinuation { continuation in
            self.locked {
                self.calls[self.requests.count] = continuation
                self.requests.append(Self.word(request))
            }
        }
    }

    var sentRequests: [JSONValue] { self.locked { self.requests } }

    /// The last call that has no response.
    var underWay: Int? { self.locked { self.calls.keys.max() } }

    /// Ends a call; nil means no response. Returns false if it has ended before: no network ends one twice.
    func respond(_ response: HTTPResponse?, to number: Int) -> Bool {
        let continuation = self.locked { self.calls.removeValue(forKey: number) }
        if let response { continuation?.resume(returning: response) } else { continuation?.resume(throwing: Offline()) }
        return continuation != nil
    }

    private static func word(_ request: HTTPRequest) -> JSONValue {
        let fields = request.fields.filter { $0.key != "User-Agent" }
        var members: [String: JSONValue] = [
            "method": .string(request.method), "path": .string(request.url.path),
            "headers": .object(fields.mapValues(JSONValue.string)),
            "timeout_ms": .integer(Int((request.timeout * 1000).rounded())),
        ]
        members["body"] = request.body.flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
        return .object(members)
    }

    // MARK: - The clock

    private func sleep(_ seconds: Double) async throws {
        let number = self.locked {
            self.timerCount += 1
            return self.timerCount
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                self.locked {
                    self.timers[number] = (self.seconds + seconds, continuation)
                    self.setCount += 1
                }
                // It may have been cancelled before.
                if Task.isCancelled { self.cancelTimer(number) }
            }
        } onCancel: {
            self.cancelTimer(number)
        }
    }

    private func cancelTimer(_ number: Int) {
        self.locked { self.timers.removeValue(forKey: number) }?.continuation.resume(throwing: CancellationError())
    }

    var timersSet: Int { self.locked { self.setCount } }

    func advance(by seconds: Double) { self.locked { self.seconds += seconds } }

    /// Moves the clock to the last timer, and lets it fire. Returns false if none is set.
    func fire() -> Bool {
        let timer = self.locked { () -> (time: Double, continuation: CheckedContinuation<Void, any Error>)? in
            guard let number = self.timers.keys.max(), let timer = self.timers.removeValue(forKey: number) else {
                return nil
            }
            self.seconds = max(self.seconds, timer.time)
            return timer
        }
        timer?.continuation.resume()
        return timer != nil
    }

    // MARK: - The end of a process

    /// Ends what is under way, as the app is gone. The clock begins anew.
    func end() {
        let (calls, timers) = self.locked {
            defer { (self.calls, self.timers, self.seconds, self.isStreamOver) = ([:], [:], 50, false) }
            return (self.calls.values, self.timers.values)
        }
        for call in calls { call.resume(throwing: Offline()) }
        for timer in timers { timer.continuation.resume(throwing: CancellationError()) }
    }

    // MARK: - What is shown

    func show(_ state: LoginState) { self.locked { self.shownStates.append(state) } }
    func endStates() { self.locked { self.isStreamOver = true } }
    var states: [LoginState] { self.locked { self.shownStates } }
    /// Whether the app gets no more states.
    var isSilent: Bool { self.locked { self.isStreamOver } }

    func put(_ record: SavedLogin) { self.locked { self.stored[record.id] = record } }
    var failuresToStore: Int { self.locked { self.failureCount } }
    func set(failsToStore: Bool) { self.locked { self.failsToStore = failsToStore } }
}

extension CasePhone: SavedLoginStore {
    func save(_ login: SavedLogin) async throws {
        let isStored = self.locked {
            if !self.failsToStore { self.stored[login.id] = login } else { self.failureCount += 1 }
            return !self.failsToStore
        }
        if !isStored { throw Offline() }
    }

    func remove(_ id: SavedLogin.ID) async throws { self.locked { self.stored[id] = nil } }

    func all() async throws -> [SavedLogin] { self.locked { Array(self.stored.values) } }
}
