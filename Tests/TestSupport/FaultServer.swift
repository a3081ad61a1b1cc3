import Glibc
import Synchronization

/// A server on loopback that sends exactly the given bytes.
///
/// Each connection has its own thread, in which `serve` may block and misbehave.
package final class FaultServer: Sendable {
    package typealias Serve = @Sendable (FaultConnection) -> Void

    package let port: UInt16
    private let listener: Int32
    private let isAccepting: Bool
    private let serve: Serve
    private let isStopped = Atomic(false)
    private let open = Mutex<(all: [Int32: FaultConnection], seen: Int, peak: Int)>(([:], 0, 0))

    /// Number of connections accepted so far.
    package var accepted: Int { self.open.withLock { $0.seen } }
    /// Largest number of connections open at the same time.
    package var peak: Int { self.open.withLock { $0.peak } }
    package var url: String { "http://127.0.0.1:\(self.port)/" }

    package struct Unavailable: Error {
        let code: Int32
    }

    /// With `accepting` false, connections stay in the listener's queue forever. Port 0 means any free port.
    package init(port: UInt16 = 0, accepting: Bool = true, _ serve: @escaping Serve) throws {
        self.serve = serve
        self.isAccepting = accepting
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var yes: Int32 = 1
        // After a restart the old connections may still be in TIME_WAIT.
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
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

    /// Sends the same bytes in response to every request, and closes.
    package convenience init(answer: String) throws {
        try self.init { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(answer)
        }
    }

    /// Stops the server. Later calls do nothing, because the listener's descriptor may be reused by then. The accepting
    /// thread closes the listener: otherwise it could accept on another server's listener with the same number.
    package func stop() {
        guard self.isStopped.exchange(true, ordering: .sequentiallyConsistent) == false else { return }
        shutdown(self.listener, Int32(SHUT_RDWR))
        if !self.isAccepting { close(self.listener) }
        // This needs the lock: without it a connection may be closed, and its descriptor reused.
        self.open.withLock { for connection in $0.all.values { connection.hangUp() } }
    }

    private func acceptAll() {
        defer { close(self.listener) }
        while true {
            let descriptor = acceptConnection(of: self.listener)
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

/// Runs blocking work on a new thread.
package func runThread(_ work: @escaping @Sendable () -> Void) {
    final class Box {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(work)).toOpaque()
    let problem = pthread_create(
        &thread, nil,
        { raw in
            if let raw { Unmanaged<Box>.fromOpaque(raw).takeRetainedValue().work() }
            return nil
        }, box)
    // Otherwise a test that waits for this work would wait forever.
    precondition(problem == 0, "no thread can be started: \(problem)")
    pthread_detach(thread)
}

/// Waits for a connection, and returns its descriptor, or -1 once the listener is shut down. No program that a test
/// starts inherits it: the other side would see it open until that program ends.
package func acceptConnection(of listener: Int32) -> Int32 {
    let descriptor = accept(listener, nil, nil)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
}
