import Foundation
import Synchronization
import TestSupport

/// A relay to PostgreSQL that can forward a statement and then close the connection before its response, or lose what
/// its connections say without a word, as a firewall does that has forgotten them.
final class AnswerThief: Sendable {
    let port: UInt16
    private let target: UInt16
    private let listening: Int32
    private let isArmed = Atomic(false)
    private let stolen = Atomic(0)
    private let lines = Mutex(Lines())

    private struct Lines {
        var count = 0
        /// Connections up to this number are cut.
        var cut = 0
        /// The connections that were cut, and have said something other than goodbye since.
        var askedInVain: Set<Int> = []
    }

    init(to target: UInt16) throws {
        self.port = try FreePort.find()
        self.target = target
        self.listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = Self.address(self.port)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(self.listening, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, listen(self.listening, 16) == 0 else { throw MissingTool(description: "no relay") }
        Thread.detachNewThread { self.accept() }
    }

    /// Drops the next response and its connection.
    func arm() { self.isArmed.store(true, ordering: .sequentiallyConsistent) }

    /// Cuts the connections that are there. Nobody notices before a deadline. Returns how many there are.
    func cut() -> Int {
        self.lines.withLock { lines in
            lines.cut = lines.count
            return lines.cut
        }
    }

    /// How many connections there have been.
    var connections: Int { self.lines.withLock { $0.count } }

    /// How many of the connections that were cut have been asked something since.
    var askedInVain: Int { self.lines.withLock { $0.askedInVain.count } }

    var thefts: Int { self.stolen.load(ordering: .sequentiallyConsistent) }

    func stop() {
        shutdown(self.listening, Int32(SHUT_RDWR))
        close(self.listening)
    }

    private func accept() {
        while case let client = acceptConnection(of: self.listening), client >= 0 {
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = Self.address(self.target)
            _ = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            let number = self.lines.withLock { lines in
                lines.count += 1
                return lines.count
            }
            Thread.detachNewThread {
                self.relay(from: client, to: server) { self.isCut(number, saying: $0) ? .lose : .pass }
            }
            Thread.detachNewThread {
                self.relay(from: server, to: client) { _ in
                    let isTheft = self.isArmed.exchange(false, ordering: .sequentiallyConsistent)
                    if isTheft { self.stolen.add(1, ordering: .sequentiallyConsistent) }
                    return isTheft ? .end : .pass
                }
            }
        }
    }

    private func isCut(_ number: Int, saying first: UInt8) -> Bool {
        self.lines.withLock { lines in
            guard number <= lines.cut else { return false }
            // X is Terminate (PostgreSQL §55.7).
            if first != UInt8(ascii: "X") { lines.askedInVain.insert(number) }
            return true
        }
    }

    private enum Fate {
        case pass, lose, end
    }

    /// Copies bytes one way. It only shuts the sockets down and does not close them, so their descriptors are not
    /// reused.
    private func relay(from source: Int32, to target: Int32, _ fate: (UInt8) -> Fate) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(source, &buffer, buffer.count), count > 0 {
            let fate = fate(buffer[0])
            guard fate != .end else { break }
            guard fate == .pass else { continue }
            guard send(target, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        for end in [source, target] { shutdown(end, Int32(SHUT_RDWR)) }
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
