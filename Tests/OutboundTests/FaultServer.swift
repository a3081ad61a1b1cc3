// A server on loopback that says exactly the bytes it was told to say.

import Glibc
import Synchronization

/// Each connection has a thread of its own, in which `serve` may block and misbehave as it likes.
final class FaultServer: Sendable {
    typealias Serve = @Sendable (FaultConnection) -> Void

    let port: UInt16
    private let listener: Int32
    private let serve: Serve
    private let isStopped = Atomic(false)
    private let open = Mutex<(all: [Int32: FaultConnection], seen: Int, peak: Int)>(([:], 0, 0))

    /// How many connections have been accepted so far.
    var accepted: Int { self.open.withLock { $0.seen } }
    /// How many were open at the same time at most.
    var peak: Int { self.open.withLock { $0.peak } }
    var url: String { "http://127.0.0.1:\(self.port)/" }

    struct Unavailable: Error {
        let code: Int32
    }

    /// With `accepting` false, connections wait in the listener's queue for ever.
    init(accepting: Bool = true, _ serve: @escaping Serve) throws {
        self.serve = serve
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(listener, raw, length) == 0 && listen(listener, 512) == 0
                    && getsockname(listener, raw, &length) == 0
            }
        }
        self.port = UInt16(bigEndian: address.sin_port)
        guard bound else { throw Unavailable(code: errno) }
        if accepting { runThread { self.acceptAll() } }
    }

    /// Answers every request with the same bytes and then closes.
    convenience init(answer: String) throws {
        try self.init { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(answer)
        }
    }

    /// May be called again: by then the number of the listener is somebody else's.
    func stop() {
        guard self.isStopped.exchange(true, ordering: .sequentiallyConsistent) == false else { return }
        shutdown(self.listener, Int32(SHUT_RDWR))
        close(self.listener)
        // Under the lock: outside of it a connection may have been closed, and its number be somebody else's.
        self.open.withLock { for connection in $0.all.values { connection.hangUp() } }
    }

    private func acceptAll() {
        while true {
            let descriptor = accept(self.listener, nil, nil)
            guard descriptor >= 0 else { return }
            let connection = FaultConnection(descriptor)
            self.open.withLock {
                $0.all[descriptor] = connection
                $0.seen += 1
                $0.peak = max($0.peak, $0.all.count)
            }
            runThread {
                self.serve(connection)
                _ = self.open.withLock { $0.all.removeValue(forKey: descriptor) }
                close(descriptor)
            }
        }
    }
}

/// One thread for work that blocks.
func runThread(_ work: @escaping @Sendable () -> Void) {
    final class Box {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(work)).toOpaque()
    pthread_create(
        &thread, nil,
        { raw in
            if let raw { Unmanaged<Box>.fromOpaque(raw).takeRetainedValue().work() }
            return nil
        }, box)
    pthread_detach(thread)
}
