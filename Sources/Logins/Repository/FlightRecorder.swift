import Base
import Brokers
import Synchronization
import Traces

/// The flight recorder: makes the note of each login, which says what happened to it. A note grows only with writes that
/// happen anyway.
///
/// It adds to a note without reading it. So it does not know how long the note is, and says to the store how long it may
/// become: anyone can open a link many times, and the end of the login must have room after that.
final class FlightRecorder: Sendable {
    /// How much of a note only the write that ends the login may use, and only writes after that.
    static let roomForEnd = 240
    static let roomAfterEnd = 80

    /// The most steps that wait, of each login and of one kind.
    private static let mostWaiting = 4

    /// Steps that were no reason to write anything, such as a broker that could not be asked. They wait for the next write
    /// of their login in this process, and are lost with it: a write for them alone would let anyone cause writes.
    private let waiting = Mutex(RecentValues<LoginID, [NotedStep]>(limit: 1000))

    /// Returns what the write of `after` adds to the login's note; nil if no notes are kept, or if there is nothing to
    /// say. `before` is nil for a new login. `cause` is the step that caused the write, and `failure` what the broker did.
    func addition(
        of cause: LoginEvent.Step?, _ after: LoginSnapshot, after before: Login?, because failure: BrokerError?,
        at now: Timestamp
    ) -> NoteAddition? {
        let lifetime = after.configuration.settings.noteLifetime
        guard lifetime > .zero else { return nil }
        let login = after.login
        let steps = login.notedSteps(of: cause, since: before, because: failure, at: now).map {
            NotedStep(LoginEvent($0, login), at: now, brokerRequest: WorkContext.current?.brokerRequest)
        }
        let waitingSteps = self.waiting.withLock { $0[login.id] } ?? []
        let room = Room(of: login, after: before)
        guard let bytes = room.part(waitingSteps + steps, essential: steps, of: login.id, under: after.key) else {
            return nil
        }
        // Anyone can create logins that no browser opens, so those have a shorter note too.
        let isOpened = !login.attempts.isEmpty || before.map { !$0.attempts.isEmpty || !$0.isOpen } ?? false
        let end = now + (isOpened ? lifetime : min(lifetime, .milliseconds(login.resultTTL)))
        return NoteAddition(
            reference: login.id.reference, bytes: bytes, limit: room.limit, keepUntil: end.nextHour)
    }

    /// Forgets the steps that waited, because they are written.
    func noteWritten(_ id: LoginID) { _ = self.waiting.withLock { $0.remove(id) } }

    /// Keeps a step that writes nothing for the next write.
    func keep(_ event: LoginEvent, at now: Timestamp) {
        guard let id = event.login, event.step.waitsForWrite else { return }
        let step = NotedStep(event, at: now, brokerRequest: WorkContext.current?.brokerRequest)
        self.waiting.withLock { waiting in
            let steps = waiting[id] ?? []
            // One of each kind says enough.
            guard steps.count < Self.mostWaiting, !steps.contains(where: { $0.name == step.name }) else { return }
            waiting.keep(steps + [step], for: id)
        }
    }
}

/// What a write may add to a note.
private enum Room {
    /// The login goes on.
    case running
    case end
    case afterEnd

    init(of login: Login, after before: Login?) {
        self = login.isOpen ? .running : before?.isOpen ?? true ? .end : .afterEnd
    }

    /// The most bytes of the note after the write.
    var limit: Int {
        switch self {
        case .running: NoteSeal.limit - FlightRecorder.roomForEnd - FlightRecorder.roomAfterEnd
        case .end: NoteSeal.limit - FlightRecorder.roomAfterEnd
        case .afterEnd: NoteSeal.limit
        }
    }

    /// The most bytes that the write adds. While the login runs, one write may take half of what it has then.
    private var partLimit: Int {
        switch self {
        case .running: self.limit / 2
        case .end: FlightRecorder.roomForEnd
        case .afterEnd: FlightRecorder.roomAfterEnd
        }
    }

    /// Returns the steps as a part of the note. If they are too long, it leaves out what is less important: what waited,
    /// then what is only good for a talk with the broker, and then all but the last step.
    func part(
        _ steps: [NotedStep], essential: [NotedStep], of id: LoginID, under key: ServerKey
    ) -> [UInt8]? {
        func seal(_ steps: [NotedStep]) -> [UInt8]? {
            guard !steps.isEmpty else { return nil }
            let bytes = NoteSeal.seal(steps, of: id, under: key)
            return bytes.count <= self.partLimit ? bytes : nil
        }
        return seal(steps) ?? seal(essential) ?? seal(essential.map(\.brief)) ?? seal(essential.suffix(1).map(\.brief))
    }
}

extension Login {
    /// Returns all steps that a write has taken, with its cause and with the end.
    fileprivate func notedSteps(
        of cause: LoginEvent.Step?, since before: Login?, because failure: BrokerError?, at now: Timestamp
    ) -> [LoginEvent.Step] {
        let causes = [cause].compactMap(\.self)
        guard let before else { return causes + (self.attempts.isEmpty ? [] : [.opened]) }
        let formerAttempts = before.attempts.map(\.id)
        let isOpened = self.attempts.contains { !formerAttempts.contains($0.id) }
        var steps = causes + (isOpened ? [.opened] : []) + self.steps(since: before)
        if let end = self.end(since: before, because: failure, at: now) {
            steps.append(end)
        } else if before.isOpen, self.isOver, cause != .evicted {
            // It lay for so long that nobody saw how it ended.
            steps.append(.ended(after: now - self.createdAt, at: LoginStage(before), because: nil))
        }
        if before.status == .completed, case .gone(.delivered, _) = self.state { steps.append(.acknowledged) }
        return steps
    }
}

extension LoginEvent.Step {
    /// Whether the step writes nothing. The others are seen in a write.
    fileprivate var waitsForWrite: Bool {
        switch self {
        case .openFailed, .returned, .callbackIgnored, .proofRefused, .takenOver, .replaced, .delivered: true
        case .created, .opened, .callback, .redeemed, .exchangeFailed, .identified, .proven, .ended, .evicted,
            .acknowledged, .rowRefused, .storeFailed:
            false
        }
    }
}

extension Timestamp {
    /// The first whole hour that is not before this.
    fileprivate var nextHour: Timestamp {
        let hour: Int64 = 3_600_000
        let (sum, overflow) = self.milliseconds.addingReportingOverflow(hour - 1)
        return overflow ? self : Timestamp(milliseconds: sum / hour * hour)
    }
}

/// What happened to one login, for an operator.
package struct LoginNote: Equatable, Sendable {
    package let id: LoginID
    /// In the order of their time. There is at least one.
    package let steps: [NotedStep]

    /// Opens a stored note. Nil if nothing in it can be opened, or if its time is over: a store may keep it for longer.
    init?(_ note: StoredNote, keys: ServerKeys, at now: Timestamp, keptFor lifetime: Duration) {
        let steps = NoteSeal.open(note, keys: keys)
        guard let last = steps.last, last.at + lifetime > now else { return nil }
        self.id = note.id
        self.steps = steps
    }
}
