import EventLoop
import HTTPServer
import Logins
import Synchronization
import Traces
import Tracing

// Safe because all mutable state is touched only on the request's loop.
/// A long poll: it waits until its login changes, its time is up, or its client leaves.
///
///     wait, look ──▶ nothing new ──▶ changed, or time is up: wait, look
///                              ├──▶ a newer request took its place: look for the last time
///                              └──▶ others need its connection: look for the last time
///
/// It begins to wait before each look, so it misses no change in between. While it waits there is no task, only this
/// object, a waiter and one deadline of the loop.
final class LongPoll<Question: LongPollQuestion>: LoginWaiter, @unchecked Sendable {
    private enum Look {
        /// The request is a waiter already.
        case waiting
        /// The request is no waiter any more. It does not wait again: if a newer request took its place, that would
        /// only displace another one.
        case over
        case last
    }

    // Not the context: its request has been read, and its memory can be freed.
    private let reply: Reply
    /// In milliseconds of the loop.
    private var until: Int64
    /// Its lowest bits, which tell one change from the next.
    private var version: Int32?
    private var deadline: Deadline?
    private var isWaiting = false
    private var hasWaited = false
    private var isLooking = false
    private var isOver = false
    private var reason: WaiterRegistry.WakeReason?
    /// Whether we asked the reply to tell us when the client leaves.
    private var observesDisconnect = false
    private let question: Question

    private init(_ reply: Reply, _ question: Question, until: Int64) {
        self.reply = reply
        self.until = until
        self.question = question
    }

    /// Looks at once. Call it on the request's loop.
    static func begin(_ context: RequestContext, atMost wait: Duration, _ question: Question) {
        LongPoll(context.reply, question, until: context.loop.now + wait.milliseconds).look(.waiting)
    }
}

/// Responds to the requests of a route, some of which wait.
protocol LongPollHandler: Sendable {
    var flow: LoginFlow { get }
    var longPolls: LongPolls { get }
}

/// What a long poll asks. It is a value within the long poll, because thousands wait.
protocol LongPollQuestion: Sendable {
    associatedtype Handler: LongPollHandler

    /// Whose place the request takes.
    static var place: LoginFlow.WaitTarget { get }

    var handler: Handler { get }
    var login: LoginID { get }

    /// Looks at the login, and responds if there is something new.
    nonisolated(nonsending) func look(_ progress: LongPollProgress, _ reply: Reply) async -> LongPollResult
}

/// The progress of a request when it looks.
struct LongPollProgress: Sendable {
    /// If false, the look must respond.
    let isTimeLeft: Bool
    /// Whether the request waited until its login changed or its time was up. If not, its response comes at once, or
    /// because a newer request took its place.
    let hasWaited: Bool
    /// The lowest bits of the version at the last look; nil at the first.
    let seenVersion: Int32?

    /// Whether the login is still as it was at the last look.
    func hasSeen(_ version: Int) -> Bool { self.seenVersion == Int32(truncatingIfNeeded: version) }
}

/// The result of a look at the login.
enum LongPollResult: Sendable {
    /// The response was sent, and the request is over.
    case answered
    /// Nothing new. `version` distinguishes one change from the next. After `change`, time alone changes the login.
    case nothing(version: Int, change: Duration?)
}

// MARK: - Looking

extension LongPoll {
    private func look(_ look: Look) {
        self.endWaiting()
        let look = self.isTimeLeft ? look : .last
        switch look {
        case .waiting: self.beginWaiting()
        case .over, .last: break
        }
        self.isLooking = true
        Task.immediate(executorPreference: self.loop) {
            let progress = LongPollProgress(
                isTimeLeft: look != .last, hasWaited: self.hasWaited, seenVersion: self.version)
            let result = await WorkContext.$current.withValue(self.reply.work) {
                await self.question.look(progress, self.reply)
            }
            self.isLooking = false
            self.take(result, by: look)
        }
    }

    private var loop: EventLoop { self.reply.loop }

    private var longPolls: LongPolls { self.question.handler.longPolls }

    private var isTimeLeft: Bool { self.longPolls.areAllowed && self.loop.now < self.until }

    private func take(_ result: LongPollResult, by look: Look) {
        assert(self.loop.isCurrent)
        guard case .nothing(let version, let change) = result, !self.isOver, look != .last else { return self.end() }
        let seenVersion = Int32(truncatingIfNeeded: version)
        let isChanged = self.version != seenVersion
        self.version = seenVersion
        switch look {
        case .waiting: self.reason.map { self.look(after: $0) } ?? self.waitForChange(change)
        // A newer request took the place, or the server is about to stop.
        case .over: self.look(isChanged ? .waiting : .last)
        case .last: self.end()
        }
    }

    private func waitForChange(_ change: Duration?) {
        let remainingTime = Duration.milliseconds(self.until - self.loop.now)
        self.deadline = self.loop.schedule(after: max(.zero, min(remainingTime, change ?? remainingTime))) {
            self.hasWaited = true
            self.look(.waiting)
        }
        // Only now, because after `onGone` the server closes half-closed connections.
        if !self.observesDisconnect {
            self.reply.hold { self.end($0) }
            self.reply.span?.note { $0["switchback.held"] = .truth(true) }
        }
        self.observesDisconnect = true
    }
}

// MARK: - Waiting

extension LongPoll {
    private func beginWaiting() {
        self.reason = nil
        self.isWaiting = true
        self.question.handler.flow.wait(for: self.question.login, in: Question.place, self)
    }

    /// Safe to call on any thread.
    func wake(_ reason: WaiterRegistry.WakeReason) { self.loop.execute { self.take(reason) } }

    private func take(_ reason: WaiterRegistry.WakeReason) {
        self.reason = reason
        guard !self.isLooking, !self.isOver else { return }
        guard !self.longPolls.areAllowed else { return self.look(after: reason) }
        if let deadline = self.deadline { self.loop.cancel(deadline) }
        self.deadline = self.loop.schedule(after: self.longPolls.pause) { self.look(after: reason) }
    }

    /// The change may be one that this request does not wait for. Then it waits again.
    private func look(after reason: WaiterRegistry.WakeReason) {
        switch reason {
        case .changed:
            self.hasWaited = true
            self.look(.waiting)
        case .over: self.look(.over)
        }
    }

    private func endWaiting() {
        if self.isWaiting { self.question.handler.flow.stopWaiting(for: self.question.login, in: Question.place, self) }
        if let deadline = self.deadline { self.loop.cancel(deadline) }
        self.isWaiting = false
        self.deadline = nil
    }

    private func end(_ reason: HoldEnd) {
        switch reason {
        case .clientLeft:
            self.end()
            self.reply.abandon()
        case .placeNeeded:
            // As if its time were up now. If it is looking, its next look is the last one.
            self.until = min(self.until, self.loop.now)
            self.hasWaited = true
            if !self.isLooking, !self.isOver { self.look(.last) }
        }
    }

    private func end() {
        self.isOver = true
        self.endWaiting()
    }
}

/// Whether requests may wait: yes, until the server is about to stop. Then they are answered, but not all at the same
/// time.
final class LongPolls: Sendable {
    private let allowed = Atomic(true)
    /// The milliseconds over which the waiting requests are answered when the server stops.
    private let spread = Atomic(0)

    var areAllowed: Bool { self.allowed.load(ordering: .relaxed) }

    /// Ends the waiting of `held` requests, over a tenth of a millisecond for each, but at most two seconds.
    func stop(held pollCount: Int) {
        self.spread.store(min(pollCount / 10, 2000), ordering: .relaxed)
        self.allowed.store(false, ordering: .relaxed)
    }

    /// A random delay before one of them is answered.
    var pause: Duration { .milliseconds(Int.random(in: 0...self.spread.load(ordering: .relaxed))) }

    /// How many milliseconds a client should wait before it asks another server. It is random, so that not all clients
    /// return at the same time. Zero while requests may wait.
    var pauseForClients: Int {
        self.areAllowed ? 0 : Int.random(in: 1...max(500, self.spread.load(ordering: .relaxed)))
    }
}
