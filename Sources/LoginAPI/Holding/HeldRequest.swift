/// A request that waits for its login to change: until it does, until its time is up, or until its client has gone.
///
///     wait, look ──▶ nothing new: held ──▶ changed, or due: wait, look
///                                   └──▶ its place is taken: look for the last time
///
/// The waiting is begun before a look, so no change falls between the two. While it is held there is no task, only this
/// object, a waiter and one deadline of the loop.
import EventLoop
import Logins
import Synchronization

// Safe because everything that changes is touched on the request's loop only.
final class HeldRequest: LoginWaiter, @unchecked Sendable {
    /// What a look at the login says.
    enum Found: Sendable {
        /// It is answered, and over.
        case answered
        /// Nothing new. `version` tells one change from the next; time alone changes the login after `change`.
        case nothing(version: Int, change: Duration?)
    }

    /// How far a request has come when it looks.
    struct Progress: Sendable {
        /// Without, it answers in any case.
        let isTimeLeft: Bool
        /// It has waited until its login changed or its time was up. Otherwise its answer comes at once, or because a newer
        /// request took its place.
        let wasHeld: Bool
    }

    /// Looks, and answers if there is something to say.
    typealias Looking = @Sendable (_ progress: Progress) async -> Found

    private enum Look {
        /// After the waiting has begun.
        case waiting
        /// Its waiting is over. It does not wait anew: if a newer request took its place, that would only push out another one.
        case over
        case last
    }

    // Not the context: its request has been read, and need not wait too.
    private let reply: Reply
    /// The reply has been asked to tell of the client's end.
    private var hearsOfEnd = false
    private let flow: LoginFlow
    private let login: LoginID
    private let place: LoginFlow.Place
    private let holds: Holds
    private let until: Duration
    private let looking: Looking

    private var isWaiting = false
    private var wasHeld = false
    private var deadline: Deadline?
    private var isLooking = false
    private var reason: Waiters.Reason?
    private var isOver = false
    private var version: Int?

    private init(
        _ context: RequestContext, _ login: LoginID, in place: LoginFlow.Place, of flow: LoginFlow, _ holds: Holds,
        until: Duration,
        _ looking: @escaping Looking
    ) {
        self.reply = context.reply
        self.login = login
        self.place = place
        self.flow = flow
        self.holds = holds
        self.until = until
        self.looking = looking
    }

    /// Looks at once. On the request's loop.
    static func begin(
        _ context: RequestContext, _ login: LoginID, in place: LoginFlow.Place, of flow: LoginFlow, _ holds: Holds,
        atMost wait: Duration,
        _ looking: @escaping Looking
    ) {
        HeldRequest(context, login, in: place, of: flow, holds, until: context.loop.elapsed + wait, looking).look(
            .waiting)
    }
}

// MARK: - Looking

extension HeldRequest {
    private func look(_ look: Look) {
        self.endWaiting()
        let look = self.isTimeLeft ? look : .last
        switch look {
        case .waiting: self.beginWaiting()
        case .over, .last: break
        }
        self.isLooking = true
        Task.immediate(executorPreference: self.loop) {
            let found = await self.looking(Progress(isTimeLeft: look != .last, wasHeld: self.wasHeld))
            self.isLooking = false
            self.take(found, by: look)
        }
    }

    private var loop: EventLoop { self.reply.loop }

    private var isTimeLeft: Bool { self.holds.areAllowed && self.loop.elapsed < self.until }

    private func take(_ found: Found, by look: Look) {
        assert(self.loop.isCurrent)
        guard case .nothing(let version, let change) = found, !self.isOver, look != .last else { return self.end() }
        let isChanged = self.version != version
        self.version = version
        switch look {
        case .waiting: self.reason.map { self.look(after: $0) } ?? self.hold(change)
        // Pushed out by a newer request, or we are about to stop.
        case .over: self.look(isChanged ? .waiting : .last)
        case .last: self.end()
        }
    }

    private func hold(_ change: Duration?) {
        let left = self.until - self.loop.elapsed
        self.deadline = self.loop.schedule(after: max(.zero, min(left, change ?? left))) {
            self.wasHeld = true
            self.look(.waiting)
        }
        // Only now: who asks to be told of the end has half-closed connections closed.
        if !self.hearsOfEnd { self.reply.onGone { self.end() } }
        self.hearsOfEnd = true
    }
}

// MARK: - Waiting

extension HeldRequest {
    private func beginWaiting() {
        self.reason = nil
        self.isWaiting = true
        self.flow.wait(for: self.login, in: self.place, self)
    }

    /// From any thread.
    func wake(_ reason: Waiters.Reason) { self.loop.execute { self.take(reason) } }

    private func take(_ reason: Waiters.Reason) {
        self.reason = reason
        guard !self.isLooking, !self.isOver else { return }
        guard !self.holds.areAllowed else { return self.look(after: reason) }
        if let deadline = self.deadline { self.loop.cancel(deadline) }
        self.deadline = self.loop.schedule(after: self.holds.pause) { self.look(after: reason) }
    }

    /// Another process may have changed what nobody waits for: then the waiting goes on.
    private func look(after reason: Waiters.Reason) {
        switch reason {
        case .changed:
            self.wasHeld = true
            self.look(.waiting)
        case .over: self.look(.over)
        }
    }

    private func endWaiting() {
        if self.isWaiting { self.flow.stopWaiting(for: self.login, in: self.place, self) }
        if let deadline = self.deadline { self.loop.cancel(deadline) }
        self.isWaiting = false
        self.deadline = nil
    }

    private func end() {
        self.isOver = true
        self.endWaiting()
    }
}

/// Whether requests may be held: yes, until we are about to stop. Then they are answered, but not all at the same moment.
final class Holds: Sendable {
    private let allowed = Atomic(true)
    /// The milliseconds over which those that are held when we stop are answered.
    private let spread = Atomic(0)

    var areAllowed: Bool { self.allowed.load(ordering: .relaxed) }

    /// So many are held now: a tenth of a millisecond for each, two seconds at most.
    func stop(held: Int) {
        self.spread.store(min(held / 10, 2000), ordering: .relaxed)
        self.allowed.store(false, ordering: .relaxed)
    }

    /// After how long one of them is answered.
    var pause: Duration { .milliseconds(Int.random(in: 0...self.spread.load(ordering: .relaxed))) }

    /// The milliseconds to let pass before asking again, elsewhere: by chance, so that not all who were sent away come
    /// back in the same moment. None while requests are held.
    var pauseForClients: Int {
        self.areAllowed ? 0 : Int.random(in: 1...max(500, self.spread.load(ordering: .relaxed)))
    }
}
