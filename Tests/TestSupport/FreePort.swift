import Glibc
import Synchronization

/// Ports for servers that must know theirs before they listen. Each is given out once and at random, since other test
/// runs may search at the same time.
///
/// They are below the system's ephemeral ports, so no other program gets one by chance.
package enum FreePort {
    package struct NoneFound: Error {}

    private static let given = Mutex<Set<UInt16>>([])

    package static func find() throws(NoneFound) -> UInt16 {
        for _ in 0..<1000 {
            let port = UInt16.random(in: 10_000..<30_000)
            if self.given.withLock({ $0.insert(port).inserted }), self.isFree(port) { return port }
        }
        throw NoneFound()
    }

    /// Returns the first of this many free ports in a row.
    package static func find(inARow count: UInt16) throws(NoneFound) -> UInt16 {
        for _ in 0..<1000 {
            let first = UInt16.random(in: 10_000..<30_000 - count)
            let ports = first..<first + count
            let areNew = self.given.withLock { given in
                guard given.isDisjoint(with: ports) else { return false }
                given.formUnion(ports)
                return true
            }
            if areNew, ports.allSatisfy(self.isFree) { return first }
        }
        throw NoneFound()
    }

    /// Whether a program accepts connections at the port.
    package static func isTaken(_ port: UInt16) -> Bool { Self.call(connect, port) }

    private static func isFree(_ port: UInt16) -> Bool { Self.call(bind, port) }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ port: UInt16
    ) -> Bool {
        // A program that another test starts at this time must not inherit it, or the port stays taken.
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
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
