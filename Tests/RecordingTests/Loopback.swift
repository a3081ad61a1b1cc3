import Foundation
import TestSupport

/// Sockets on this machine, with bytes as they are.
enum Loopback {
    static func connect(_ port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        // The end of a response that does not come. No response takes as long.
        var patience = timeval(tv_sec: Int(Patience.limit.components.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard self.call(Glibc.connect, descriptor, port) else { throw RecordingError("connect: \(errno)") }
        return descriptor
    }

    /// Waits for the port, because another recording on this machine may use it.
    static func listen(_ port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var isReused: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        let end = ContinuousClock.now + .seconds(120)
        while !self.call(bind, descriptor, port) || Glibc.listen(descriptor, 64) != 0 {
            guard ContinuousClock.now < end else { throw RecordingError("port \(port): \(errno)") }
            usleep(200_000)
        }
        return descriptor
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var sentCount = 0
        while sentCount < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress.map { $0 + sentCount }, bytes.count - sentCount, Int32(MSG_NOSIGNAL))
            }
            // The server may refuse a request before it has read all of it.
            guard count > 0 else { return }
            sentCount += count
        }
    }

    /// Reads until `isWhole`, or until the other side has closed.
    static func read(_ descriptor: Int32, until isWhole: ([UInt8]) -> Bool = { _ in false }) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isWhole(bytes) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        return bytes
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32, _ port: UInt16
    ) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

/// Why a recording cannot be made.
struct RecordingError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
