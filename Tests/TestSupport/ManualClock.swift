import Synchronization

/// A clock that moves only when a test advances it.
package final class ManualClock: Clock {
    package struct Instant: InstantProtocol {
        fileprivate let time: Swift.Duration

        package func advanced(by duration: Swift.Duration) -> Instant { Instant(time: self.time + duration) }
        package func duration(to other: Instant) -> Swift.Duration { other.time - self.time }
        package static func < (left: Instant, right: Instant) -> Bool { left.time < right.time }
    }

    private struct State {
        var time = Swift.Duration.zero
        var number = 0
        var sleepers: [Int: (until: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    package var now: Instant { self.state.withLock { Instant(time: $0.time) } }
    package let minimumResolution = Swift.Duration.nanoseconds(1)

    /// Returns when the clock has reached `deadline`, or throws when the task is cancelled.
    package func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
        let number = self.state.withLock { state in
            state.number += 1
            return state.number
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = self.state.withLock { state in
                    if Task.isCancelled || deadline.time <= state.time { return true }
                    state.sleepers[number] = (deadline, continuation)
                    return false
                }
                if isOver { continuation.resume(with: Result { try Task.checkCancellation() }) }
            }
        } onCancel: {
            let sleeper = self.state.withLock { $0.sleepers.removeValue(forKey: number) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    package func advance(by duration: Swift.Duration) {
        let awake = self.state.withLock { state in
            state.time += duration
            let time = state.time
            let awake = state.sleepers.filter { $0.value.until.time <= time }
            for number in awake.keys { state.sleepers[number] = nil }
            return awake.values.map(\.continuation)
        }
        for continuation in awake { continuation.resume() }
    }

    /// Waits until at least `count` tasks sleep on this clock, and returns false when `Patience` ends.
    package func sleepers(reach count: Int) async throws -> Bool {
        try await eventually { self.state.withLock { $0.sleepers.count } >= count }
    }
}
