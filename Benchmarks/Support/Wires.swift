import CEpoll
import Glibc

/// A client's connections to one server, on one epoll descriptor, for one thread.
///
/// It does not use our `EventLoop`: a measuring client should neither share its costs nor wait where it waits.
package final class Wires {
    package struct Failure: Error {
        package let description: String

        package init(description: String) { self.description = description }
    }

    private static let batch = 1024

    private let port: UInt16
    private let poll = epoll_create1(0)
    private var events = [epoll_event](repeating: epoll_event(), count: Wires.batch)
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
    /// The first bytes of incomplete responses, by descriptor.
    private var begun: [Int32: [UInt8]] = [:]
    package private(set) var open: Set<Int32> = []
    /// Whether the server may close connections.
    package var expectsEnds = false

    package init(port: UInt16) { self.port = port }

    deinit {
        self.closeAll()
        Glibc.close(self.poll)
        self.scratch.deallocate()
    }

    package func connect() throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(description: "socket: \(String(cString: strerror(errno)))") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = self.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            let failure = Failure(description: "connect: \(String(cString: strerror(errno)))")
            Glibc.close(descriptor)
            throw failure
        }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(descriptor)))
        epoll_ctl(self.poll, EPOLL_CTL_ADD, descriptor, &event)
        self.open.insert(descriptor)
        return descriptor
    }

    package func connect(_ count: Int) throws -> [Int32] { try (0..<count).map { _ in try self.connect() } }

    /// Sends all bytes. Blocks while the server accepts none.
    package func send(_ bytes: [UInt8], to descriptor: Int32) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                return Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(description: "send: \(String(cString: strerror(errno)))") }
            sent += count
        }
    }

    /// Waits at most this many milliseconds, and calls `each` for every complete response.
    package func receive(within milliseconds: Int32, _ each: (Int32, Answer) throws -> Void) throws {
        let count = Int(epoll_wait(self.poll, &self.events, Int32(Self.batch), milliseconds))
        guard count > 0 else { return }
        for event in self.events[..<count] { try self.read(Int32(truncatingIfNeeded: event.data.u64), each) }
    }

    package func close(_ descriptor: Int32) {
        guard self.open.remove(descriptor) != nil else { return }
        self.begun[descriptor] = nil
        Glibc.close(descriptor)
    }

    package func closeAll() { for descriptor in self.open { self.close(descriptor) } }

    private func read(_ descriptor: Int32, _ each: (Int32, Answer) throws -> Void) throws {
        let count = recv(descriptor, self.scratch.baseAddress, self.scratch.count, Int32(MSG_DONTWAIT))
        guard count > 0 || !self.expectsEnds else { return self.close(descriptor) }
        guard count > 0 else {
            throw Failure(
                description: "the server closed a connection: \(count < 0 ? String(cString: strerror(errno)) : "end")")
        }
        let new = UnsafeRawBufferPointer(rebasing: self.scratch[..<count])
        guard var bytes = self.begun.removeValue(forKey: descriptor) else {
            let used = try self.take(new, descriptor, each)
            if used < count { self.begun[descriptor] = Array(new[used...]) }
            return
        }
        bytes.append(contentsOf: new)
        let used = try bytes.withUnsafeBytes { try self.take($0, descriptor, each) }
        if used < bytes.count { self.begun[descriptor] = Array(bytes[used...]) }
    }

    private func take(
        _ bytes: UnsafeRawBufferPointer, _ descriptor: Int32, _ each: (Int32, Answer) throws -> Void
    ) throws -> Int {
        var used = 0
        while let answer = Answer(UnsafeRawBufferPointer(rebasing: bytes[used...])) {
            used += answer.byteCount
            try each(descriptor, answer)
        }
        return used
    }
}
