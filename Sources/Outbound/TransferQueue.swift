import Base
import EventLoop
import Synchronization

/// Limits how many transfers run at the same time. The others wait for their turn.
///
/// The queue is ours and not libcurl's: it is bounded, fair between callers and measurable, and its waiting time does
/// not count as the server's.
///
/// Safe because, after `init`, it is used only on the loop.
final class TransferQueue: @unchecked Sendable {
    private let loop: EventLoop
    private let multi: Multi
    private let maxRunning: Int
    private let queueTimeout: Duration
    private var running = 0
    private var isFilling = false
    private var waiting: FairQueue<Transfer>
    /// Readable from any thread.
    private let load: Mutex<TransferLoad>

    init(loop: EventLoop, settings: OutboundSettings) throws(OperatorError) {
        self.loop = loop
        self.multi = try Multi(loop: loop, settings: settings)
        self.maxRunning = max(1, settings.maxConnections)
        self.queueTimeout = settings.queueTimeout
        self.waiting = FairQueue(limit: settings.maxWaiting)
        self.load = Mutex(TransferLoad(size: max(1, settings.maxConnections)))
    }

    /// What the queue does now. Any thread may ask.
    var currentLoad: TransferLoad { self.load.withLock { $0 } }

    /// Call it after each change of what is running or waiting.
    private func noteLoad() {
        self.load.withLock { load in
            load.inUse = self.running
            load.waiting = self.waiting.count
        }
    }

    func add(_ transfer: Transfer) {
        guard self.multi.isOpen, !transfer.isCancelled.load(ordering: .acquiring) else {
            return transfer.end(.failure(.cancelled))
        }
        guard self.running >= self.maxRunning, !transfer.request.isUrgent else { return self.start(transfer) }
        switch self.waiting.add(transfer, of: transfer.request.caller) {
        case .waits: break
        case .insteadOf(let other): self.end(other, .busy)
        case .full: return transfer.end(.failure(.busy))
        }
        self.noteLoad()
        let limit = transfer.request.longestWait ?? self.queueTimeout
        transfer.queueDeadline = self.loop.schedule(after: limit) { [weak self] in
            self?.abandon(transfer, .busy)
        }
        transfer.request.onWait?()
    }

    func cancel(_ transfer: Transfer) {
        guard !self.abandon(transfer, .cancelled) else { return }
        self.multi.cancel(transfer)
    }

    /// Ends all transfers and connections. A transfer that is added later ends at once.
    func close() {
        while let transfer = self.waiting.next() { self.end(transfer, .cancelled) }
        self.multi.close()
    }

    private func start(_ transfer: Transfer) {
        self.running += 1
        self.noteLoad()
        transfer.hasEnded = { [weak self] in self?.makeRoom() }
        guard let turn = transfer.turn else { return self.send(transfer) }
        // Its caller decides whether it goes. The connection stays reserved meanwhile.
        transfer.turn = nil
        turn.resume(returning: nil)
    }

    /// Sends a transfer whose turn has come, unless its caller forbids it or it has ended meanwhile.
    func proceed(_ transfer: Transfer, _ isPermitted: Bool) {
        guard isPermitted, transfer.hasEnded != nil else { return transfer.end(.failure(.cancelled)) }
        self.send(transfer)
    }

    private func send(_ transfer: Transfer) {
        transfer.reportStart()
        self.multi.start(transfer)
    }

    private func makeRoom() {
        self.running -= 1
        // A transfer that ends as soon as it starts makes room for the next in this loop, without recursion.
        guard !self.isFilling else { return }
        self.isFilling = true
        while self.running < self.maxRunning, let next = self.waiting.next() {
            self.stopWaiting(next)
            self.start(next)
        }
        self.isFilling = false
        self.noteLoad()
    }

    /// Returns false when the transfer does not wait.
    @discardableResult
    private func abandon(_ transfer: Transfer, _ error: OutboundError) -> Bool {
        guard self.waiting.remove(of: transfer.request.caller, where: { $0 === transfer }) else { return false }
        self.noteLoad()
        self.end(transfer, error)
        return true
    }

    /// Ends a transfer that no longer waits and has not begun.
    private func end(_ transfer: Transfer, _ error: OutboundError) {
        self.stopWaiting(transfer)
        transfer.end(.failure(error))
    }

    private func stopWaiting(_ transfer: Transfer) {
        if let turn = transfer.queueDeadline { self.loop.cancel(turn) }
        transfer.queueDeadline = nil
    }
}

/// How busy the connections of a client are.
package struct TransferLoad: Equatable, Sendable {
    /// The most transfers at the same time. Urgent ones are beyond it.
    package let size: Int
    package internal(set) var inUse = 0
    /// How many transfers wait for their turn.
    package internal(set) var waiting = 0

    init(size: Int) { self.size = size }
}
