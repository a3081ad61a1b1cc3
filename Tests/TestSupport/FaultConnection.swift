import Glibc
import Synchronization

/// One accepted connection of a `FaultServer`.
package final class FaultConnection: Sendable {
    private let descriptor: Int32
    private let unread = Mutex<[UInt8]>([])

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Returns head and body of the next request, or nil when the client has closed the connection.
    package func readRequest() -> String? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            let request = self.unread.withLock { bytes -> String? in
                guard let start = bytes.firstRange(of: end)?.upperBound else { return nil }
                let head = String(decoding: bytes[..<start], as: UTF8.self)
                let length = head.lowercased().split(separator: "content-length: ").dropFirst().first
                let total = start + (length.flatMap { Int($0.prefix(while: \.isNumber)) } ?? 0)
                guard bytes.count >= total else { return nil }
                defer { bytes.removeFirst(total) }
                return String(decoding: bytes[..<total], as: UTF8.self)
            }
            if let request { return request }
            guard self.readMore() else { return nil }
        }
    }

    /// Returns whether bytes of the client, or its end, have come before this time is over.
    package func isReadable(within milliseconds: Int32) -> Bool {
        guard self.unread.withLock({ $0.isEmpty }) else { return true }
        var entry = pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) != 0
    }

    /// Returns false when the client has closed the connection.
    package func readMore() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(self.descriptor, &buffer, buffer.count)
        guard count > 0 else { return false }
        self.unread.withLock { $0 += buffer[..<count] }
        return true
    }

    /// Blocks until the client closes the connection.
    package func waitForEnd() { while self.readMore() {} }

    /// Returns false when the client has closed the connection.
    @discardableResult package func write(_ text: String) -> Bool { self.write(Array(text.utf8)) }

    @discardableResult package func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(self.descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Waits between two writes.
    package func pause(milliseconds: UInt32) { usleep(milliseconds * 1000) }

    /// Makes the client see a reset instead of an end.
    package func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(self.descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    package func hangUp() { shutdown(self.descriptor, Int32(SHUT_RDWR)) }
}

extension [UInt8] {
    fileprivate func firstRange(of pattern: [UInt8]) -> Range<Int>? {
        guard self.count >= pattern.count else { return nil }
        return (0...(self.count - pattern.count)).first { self[$0..<($0 + pattern.count)].elementsEqual(pattern) }
            .map { $0..<($0 + pattern.count) }
    }
}
