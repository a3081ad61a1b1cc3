import Base
import Dispatch
import Glibc
import HTTPWire

/// A small HTTP client over a plain socket. It opens one connection for each request and follows no redirects.
struct RawClient: Sendable {
    enum Failure: Error {
        case socket(Int32)
        case malformed
    }

    struct Answer: Sendable {
        let status: Int
        let fields: [Parameter]
        let body: [UInt8]

        var text: String { String(decoding: self.body, as: UTF8.self) }

        subscript(_ name: String) -> String? { self.fields.first { $0.name == name }?.value }

        /// The `Cookie` field of a browser that got this response; none if it got no cookie.
        var cookies: [String] {
            let pairs = self.fields.filter { $0.name == "set-cookie" && !$0.value.contains("Max-Age=0") }
                .map { $0.value.prefix { $0 != ";" } }
            return pairs.isEmpty ? [] : ["Cookie: " + pairs.joined(separator: "; ")]
        }
    }

    let port: UInt16

    func get(_ target: String, fields: [String] = []) async throws -> Answer {
        try await self.send("GET \(target) HTTP/1.1\r\n" + Self.head(fields))
    }

    func post(_ target: String, form: [Parameter], fields: [String] = []) async throws -> Answer {
        let body = FormBody.encode(form)
        let type = "Content-Type: application/x-www-form-urlencoded"
        let head = Self.head(fields + [type, "Content-Length: \(body.utf8.count)"])
        return try await self.send("POST \(target) HTTP/1.1\r\n" + head + body)
    }

    /// Reads a response that does not end, up to these words.
    func read(_ target: String, fields: [String], upTo words: String) async throws -> String {
        let head = "GET \(target) HTTP/1.1\r\n" + Self.head(fields)
        return String(decoding: try await self.exchange(head) { $0.contains(words.utf8) }, as: UTF8.self)
    }

    private static func head(_ fields: [String]) -> String {
        (["Host: localhost", "Connection: close"] + fields).map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// Sends bytes on a thread of its own, so that the test's thread is not blocked.
    func send(_ message: String) async throws -> Answer {
        try Self.parsed(try await self.exchange(message) { _ in false })
    }

    private func exchange(
        _ message: String, isEnough: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws -> [UInt8] {
        let port = self.port
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try Self.exchange(Array(message.utf8), port, isEnough) })
            }
        }
    }

    private static func exchange(
        _ message: [UInt8], _ port: UInt16, _ isEnough: ([UInt8]) -> Bool
    ) throws -> [UInt8] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure.socket(errno) }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        try self.connect(descriptor, port)
        var sent = 0
        while sent < message.count {
            let count = message[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0x4000) }
            guard count > 0 else { throw Failure.socket(errno) }
            sent += count
        }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else { throw Failure.socket(errno) }
            guard count > 0 else { return received }
            received += buffer[..<count]
            if isEnough(received) { return received }
        }
    }

    private static func connect(_ descriptor: Int32, _ port: UInt16) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure.socket(errno) }
    }

    private static func parsed(_ bytes: [UInt8]) throws -> Answer {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { throw Failure.malformed }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        guard let first = lines.first?.split(separator: " "), first.count >= 2, let status = Int(first[1]) else {
            throw Failure.malformed
        }
        let fields = lines.dropFirst().compactMap { line -> Parameter? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return Parameter(line[..<colon].lowercased(), String(value))
        }
        return Answer(status: status, fields: fields, body: Array(bytes[end.upperBound...]))
    }
}
