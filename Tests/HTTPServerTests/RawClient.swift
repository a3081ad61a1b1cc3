import Dispatch
import Glibc
import Synchronization
import TestSupport

// Safe because `unread` is used only on its own queue, where blocking calls do not delay other tests.
/// A client that sends bytes unchanged or through TLS, and reads the responses, with a limit on each wait.
final class RawClient: @unchecked Sendable {
    struct Failure: Error {
        let call: String
        let code = errno
    }

    struct Reply: Equatable, Sendable {
        var status = 0
        var version = ""
        var fields: [String: String] = [:]
        var body: [UInt8] = []

        var text: String { String(decoding: self.body, as: UTF8.self) }
        var closes: Bool { self.fields["connection"]?.lowercased() == "close" }
    }

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "client")
    private var unread: [UInt8] = []
    /// Set after the handshake.
    private var tls: ClientTLS?

    /// `from` is an address of this machine in 127/8; `window` is the size of the receive buffer.
    init(port: UInt16, from: String = "127.0.0.1", window: Int32? = nil, patience: Int = 10) throws {
        self.descriptor = try Self.socket(AF_INET, patience)
        if var window { setsockopt(self.descriptor, SOL_SOCKET, SO_RCVBUF, &window, 4) }
        // Bytes that are sent in pieces must arrive in pieces, and at once.
        var isEager: Int32 = 1
        setsockopt(self.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isEager, 4)
        guard Self.call(bind, self.descriptor, from, 0) == 0 else { throw Failure(call: "bind") }
        guard Self.call(connect, self.descriptor, "127.0.0.1", port) == 0 else { throw Failure(call: "connect") }
    }

    /// Connects to a Unix socket.
    init(path: String, patience: Int = 10) throws {
        self.descriptor = try Self.socket(AF_UNIX, patience)
        guard UnixSocket.call(connect, self.descriptor, path) else { throw Failure(call: "connect") }
    }

    deinit { Glibc.close(self.descriptor) }

    private static func socket(_ family: Int32, _ patience: Int) throws -> Int32 {
        // A process that another test starts must not keep the connection open.
        let descriptor = Glibc.socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket") }
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, UInt32(MemoryLayout<timeval>.size))
        }
        return descriptor
    }

    func send(_ text: String) async { await self.send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async {
        await self.run { self.write(self.tls?.seal(bytes) ?? bytes) }
    }

    private func write(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Glibc.send(
                    self.descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Does the handshake, and uses `tls` from then on. `piece` is the number of bytes per send.
    @discardableResult
    func begin(_ tls: ClientTLS, piece: Int = .max) async -> Bool {
        await self.run {
            while true {
                let result = tls.handshake()
                self.write(tls.takeOutgoing(), piece: piece)
                if let result {
                    self.tls = result ? tls : nil
                    return result
                }
                guard let bytes = self.receive() else { return false }
                tls.feed(bytes)
            }
        }
    }

    /// Sends bytes outside of TLS.
    func sendRaw(_ bytes: [UInt8], piece: Int = .max) async { await self.run { self.write(bytes, piece: piece) } }

    /// Sends messages of TLS itself.
    func sendTLS(_ bytes: @escaping @Sendable (ClientTLS) -> [UInt8]) async {
        await self.run { if let tls = self.tls { self.write(bytes(tls)) } }
    }

    private func write(_ bytes: [UInt8], piece: Int) {
        var rest = bytes[...]
        while !rest.isEmpty {
            self.write(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
        }
    }

    /// Sends each piece in its own segment, as far as the network keeps them apart.
    func send(_ bytes: [UInt8], piecesOf size: Int) async {
        var isOn: Int32 = 1
        setsockopt(self.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, 4)
        await self.run {
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = Array(rest.prefix(size))
                let count = piece.withUnsafeBytes {
                    Glibc.send(self.descriptor, $0.baseAddress, piece.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    func finishWriting() { shutdown(self.descriptor, Int32(SHUT_WR)) }

    /// Closes so that the server sees a reset.
    func reset() async {
        await self.run {
            var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
            setsockopt(self.descriptor, SOL_SOCKET, SO_LINGER, &linger, UInt32(MemoryLayout<Glibc.linger>.size))
            // The descriptor stays ours until `deinit`: an unconnected socket replaces the connection.
            let other = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            dup2(other, self.descriptor)
            Glibc.close(other)
        }
    }

    /// Returns a whole response; nil when the connection ends, or when nothing more comes before it is complete.
    func reply(hasBody: Bool = true) async -> Reply? {
        await self.run {
            guard let head = self.take(until: Array("\r\n\r\n".utf8)) else { return nil }
            var reply = Reply(head: String(decoding: head, as: UTF8.self))
            let length = reply.fields["content-length"].flatMap { Int($0) } ?? 0
            guard hasBody, length > 0 else { return reply }
            while self.unread.count < length { guard self.fill() else { return nil } }
            reply.body = Array(self.unread.prefix(length))
            self.unread.removeFirst(length)
            return reply
        }
    }

    /// Sends a request and returns its response.
    func ask(_ request: String) async -> Reply? {
        await self.send(request)
        return await self.reply()
    }

    /// Returns true when the server closes the connection properly and sends nothing more.
    func isEnded() async -> Bool {
        await self.run { !self.fill() && self.unread.isEmpty && errno != EAGAIN }
    }

    /// Reads and drops up to `limit` bytes. Returns fewer only if the connection ends or nothing more comes.
    func count(atMost limit: Int) async -> Int {
        await self.run {
            var count = self.unread.count
            self.unread = []
            while count < limit, self.fill() {
                count += self.unread.count
                self.unread = []
            }
            return count
        }
    }

    /// Returns everything until the end.
    func rest() async -> String {
        await self.run {
            while self.fill() {}
            defer { self.unread = [] }
            return String(decoding: self.unread, as: UTF8.self)
        }
    }

    /// Reads at most `count` bytes from the network.
    func sip(_ count: Int) async -> Int {
        await self.run {
            var bytes = [UInt8](repeating: 0, count: count)
            return recv(self.descriptor, &bytes, count, 0)
        }
    }

    private func take(until end: [UInt8]) -> [UInt8]? {
        while true {
            if let range = self.unread.firstRange(of: end) {
                defer { self.unread.removeSubrange(..<range.upperBound) }
                return Array(self.unread[..<range.lowerBound])
            }
            guard self.fill() else { return nil }
        }
    }

    private func fill() -> Bool {
        guard let tls = self.tls else {
            guard let bytes = self.receive() else { return false }
            self.unread += bytes
            return true
        }
        while true {
            let plain = tls.open()
            self.write(tls.takeOutgoing())
            self.unread += plain
            guard plain.isEmpty else { return true }
            guard !tls.isEnded, tls.error.isEmpty, let bytes = self.receive() else { return false }
            tls.feed(bytes)
        }
    }

    /// Returns nil at the end.
    private func receive() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        errno = 0
        let count = recv(self.descriptor, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    private func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            self.queue.async { @Sendable in continuation.resume(returning: body()) }
        }
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32, _ host: String,
        _ port: UInt16
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return withUnsafeBytes(of: &address) { bytes in
            bytes.assumingMemoryBound(to: sockaddr.self).baseAddress.map {
                function(descriptor, $0, socklen_t(bytes.count))
            } ?? -1
        }
    }
}

extension RawClient.Reply {
    fileprivate init(head: String) {
        let lines = head.split(separator: "\r\n")
        let start = lines.first?.split(separator: " ") ?? []
        self.version = start.first.map(String.init) ?? ""
        self.status = start.dropFirst().first.flatMap { Int($0) } ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = String(parts[1].drop { $0 == " " })
            self.fields[parts[0].lowercased(), default: ""] += value
        }
    }
}
