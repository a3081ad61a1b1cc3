import EventLoop
import Glibc

/// Two connected sockets, for a test that makes descriptors ready.
final class Pair: Sendable {
    let here: Int32
    let there: Int32

    init() throws {
        var descriptors: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &descriptors) == 0 else { throw SystemCallError(call: "socketpair") }
        self.here = descriptors[0]
        self.there = descriptors[1]
    }

    deinit {
        close(self.here)
        close(self.there)
    }

    func send() {
        var byte: UInt8 = 7
        _ = write(self.there, &byte, 1)
    }

    func receive() -> Int {
        var bytes: [UInt8] = Array(repeating: 0, count: 100)
        return read(self.here, &bytes, bytes.count)
    }
}

/// A watcher that calls a closure.
final class Listener: Watcher {
    private let heard: @Sendable (ReadyEvents) -> Void

    init(_ heard: @escaping @Sendable (ReadyEvents) -> Void) { self.heard = heard }

    func ready(_ readiness: ReadyEvents) { self.heard(readiness) }
}

extension EventLoop {
    /// Runs a closure on the loop and waits for its result.
    func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            self.execute { continuation.resume(returning: body()) }
        }
    }
}
