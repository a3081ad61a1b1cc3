import EndToEndSupport
import Sandbox
import Synchronization

/// Keeps a number of logins in progress, and counts their results.
final class SoakLoad: Sendable {
    struct Tally: Sendable {
        var started = 0
        var completed = 0
        /// The failed logins, by status and reason.
        var failed: [String: Int] = [:]
        /// The failed logins that are not retryable.
        var hopeless = 0
        /// Broken promises, and logins that did not end.
        var complaints: [String] = []
        var wakeUps: [Duration] = []

        var ended: Int { self.completed + self.failed.values.reduce(0, +) + self.complaints.count }
    }

    /// The addresses that one login uses.
    struct Place: Sendable {
        /// Where the app sends everything except its polls.
        let app: String
        /// Sends requests for our own pages here, instead of where their links lead.
        var browser: (from: String, to: String)?
        var poll: String?
    }

    private let random: SoakRandom
    let patience: SoakPatience
    private let fault: String
    private let room: SoakRoom
    private let state = Mutex(Tally())
    private let place: @Sendable (Int) -> Place
    private let wait: Int

    var tally: Tally { self.state.withLock { $0 } }

    /// `fault` is what each user chooses at the sandbox.
    init(
        _ url: String, width: Int, fault: String = "", wait: Int = 10, _ random: SoakRandom,
        place: (@Sendable (Int) -> Place)? = nil
    ) {
        self.random = random
        self.patience = SoakPatience(random)
        self.fault = fault
        self.wait = wait
        self.room = SoakRoom(width)
        self.place = place ?? { _ in Place(app: url) }
    }

    /// Starts logins while `isWanted` returns true, and returns when all have ended.
    func run(while isWanted: @Sendable (Tally) -> Bool) async {
        await withDiscardingTaskGroup { group in
            while true {
                await self.room.enter()
                // After a hundred complaints more logins would show nothing new.
                guard !Task.isCancelled, isWanted(self.tally), self.tally.complaints.count < 100 else { return }
                let number = self.state.withLock { tally in
                    tally.started += 1
                    return tally.started
                }
                group.addTask { await self.one(number) }
            }
        }
    }

    /// Starts `count` logins at this rate, however the earlier ones end, and returns when all have ended.
    func run(_ count: Int, perMinute rate: Int) async {
        let start = ContinuousClock.now
        await withDiscardingTaskGroup { group in
            for number in 1...max(1, count) {
                try? await Task.sleep(until: start + .milliseconds(60_000 * (number - 1) / rate))
                self.state.withLock { $0.started += 1 }
                group.addTask { await self.one(number) }
            }
        }
    }

    private func one(_ number: Int) async {
        let people = SandboxIdentity.all
        let place = self.place(number)
        let book = SoakBook()
        let browser = SoakBrowser(
            fault: self.fault, person: people[number % people.count].id, patience: self.patience,
            origin: place.browser)
        var app = SoakApp(
            url: place.app, browser: browser, patience: self.patience, book: book,
            app: number.isMultiple(of: 2) ? "demo" : "linked", reloads: self.random.number(in: 0...3) == 0)
        app.pollURL = place.poll
        app.wait = self.wait
        let key = self.room.key()
        app.onParked = { await self.room.leave(key) }
        do {
            let end = try await app.run()
            self.state.withLock { tally in
                switch end {
                case .completed: tally.completed += 1
                case .failed(let reason, let isRetryable):
                    tally.failed[reason, default: 0] += 1
                    tally.hopeless += isRetryable ? 0 : 1
                }
            }
        } catch {
            book.complain("\(error)")
        }
        self.state.withLock {
            $0.complaints += book.complaints
            if let wakeUp = book.wakeUp { $0.wakeUps.append(wakeUp) }
        }
        await self.room.leave(key)
    }
}

/// Limits how many logins run at a time. Only one caller can wait for a place.
actor SoakRoom {
    final class Key: Sendable {
        fileprivate let isUsed = Atomic(false)
    }

    private var free: Int
    private var waiting: CheckedContinuation<Void, Never>?

    init(_ width: Int) { self.free = width }

    nonisolated func key() -> Key { Key() }

    func enter() async {
        if self.free == 0 { await withCheckedContinuation { self.waiting = $0 } }
        self.free -= 1
    }

    /// Frees a place, once for each key.
    func leave(_ key: Key) {
        guard !key.isUsed.exchange(true, ordering: .sequentiallyConsistent) else { return }
        self.free += 1
        self.waiting?.resume()
        self.waiting = nil
    }
}
