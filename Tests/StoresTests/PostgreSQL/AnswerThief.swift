import Foundation
import Synchronization
import TestSupport

/// A relay to PostgreSQL that can forward a statement and then close the connection before its response.
final class AnswerThief: Sendable {
    let port: UInt16
    private let target: UInt16
    private let listening: Int32
    private let isArmed = Atomic(false)
    private let stolen = Atomic(0)

    init(to target: UInt16) throws {
        self.port = try FreePort.find()
        self.target = target
        self.listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
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

    var thefts: Int { self.stolen.load(ordering: .sequentiallyConsistent) }

    func stop() {
        shutdown(self.listening, Int32(SHUT_RDWR))
        close(self.listening)
    }

    private func accept() {
        while case let client = Foundation.accept(self.listening, nil, nil), client >= 0 {
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = Self.address(self.target)
            _ = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            Thread.detachNewThread { self.relay(from: client, to: server) { true } }
            Thread.detachNewThread {
                self.relay(from: server, to: client) {
                    let isTheft = self.isArmed.exchange(false, ordering: .sequentiallyConsistent)
                    if isTheft { self.stolen.add(1, ordering: .sequentiallyConsistent) }
                    return !isTheft
                }
            }
        }
    }

    /// Copies bytes one way. It only shuts the sockets down and does not close them, so their descriptors are not
    /// reused.
    private func relay(from source: Int32, to target: Int32, _ mayPass: () -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(source, &buffer, buffer.count), count > 0, mayPass() {
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
