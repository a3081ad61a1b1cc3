import Base
import Foundation
import HTTPWire
import StrictJSON
import TestSupport

#if canImport(Glibc)
import Glibc
#endif

/// A plain HTTP client over real sockets, with one connection and one thread per request. It follows and repairs
/// nothing.
package struct Answer: Sendable {
    package let status: Int
    package let fields: Fields
    package let body: [UInt8]

    package init(status: Int, fields: Fields, body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    package var text: String { String(decoding: self.body, as: UTF8.self) }
    package var json: JSON? { try? JSON(parsing: self.body) }
    package subscript(_ name: FieldName) -> String? { self.fields[name] }
}

package enum TestClient {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// Sends one request to a loopback URL and reads one response.
    package static func send(
        _ method: String, _ url: String, fields: [Parameter] = [], body: [UInt8] = [],
        within seconds: Int = 60
    ) async throws -> Answer {
        guard let url = URL(string: url), let host = url.host, let port = url.port else {
            throw Failure(description: "no URL: \(url)")
        }
        var path = url.path(percentEncoded: true).isEmpty ? "/" : url.path(percentEncoded: true)
        if let query = url.query(percentEncoded: true) { path += "?\(query)" }
        var head = "\(method) \(path) HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        if !body.isEmpty || method == "POST" { head += "Content-Length: \(body.count)\r\n" }
        let bytes = Array("\(head)\r\n".utf8) + body
        let answer: Answer = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try Self.exchange(bytes, port: UInt16(port), isHead: method == "HEAD", seconds) })
            }
        }
        DescribedAnswers.check(method, path, port: port, answer)
        return answer
    }

    /// Sends a request and closes the connection without reading anything.
    package static func sendAndHangUp(_ method: String, _ url: String, fields: [Parameter] = []) throws {
        guard let parts = URL(string: url), let host = parts.host, let port = parts.port else {
            throw Failure(description: "no URL: \(url)")
        }
        let target = url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }
        var head = "\(method) \(target) HTTP/1.1\r\nHost: \(host):\(port)\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        let descriptor = try Self.connect(port: UInt16(port))
        defer { close(descriptor) }
        try Self.write(Array("\(head)\r\n".utf8), to: descriptor)
    }

    /// Connects and returns the open descriptor; the caller closes it.
    package static func connect(port: UInt16, seconds: Int = 60) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(description: "socket: \(errno)") }
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            close(descriptor)
            throw Failure(description: "connect to port \(port): \(errno)")
        }
        return descriptor
    }

    /// Connects to a Unix socket.
    package static func connect(path: String, seconds: Int = 20) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard UnixSocket.call(Glibc.connect, descriptor, path) else {
            close(descriptor)
            throw Failure(description: "connect to \(path): \(errno)")
        }
        return descriptor
    }

    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(description: "send: \(errno)") }
            sent += count
        }
    }

    private static func exchange(_ bytes: [UInt8], port: UInt16, isHead: Bool, _ seconds: Int) throws -> Answer {
        let descriptor = try Self.connect(port: port, seconds: seconds)
        defer { close(descriptor) }
        try Self.write(bytes, to: descriptor)
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else {
                throw Failure(description: "no response: errno \(errno), after \(received.count) bytes")
            }
            if count == 0 { break }
            received += buffer.prefix(count)
        }
        return try Self.parse(received, isHead: isHead)
    }

    /// The server has closed the connection after the response, so `bytes` is all of it.
    private static func parse(_ bytes: [UInt8], isHead: Bool) throws -> Answer {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            throw Failure(description: "no head in \(bytes.count) bytes")
        }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ", maxSplits: 2)
        guard words.count >= 2, let status = Int(words[1]) else {
            throw Failure(description: "status line: \(lines[0])")
        }
        var fields = Fields()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let name = FieldName(String(parts[0])) else { continue }
            fields.add(name, parts[1].trimmingCharacters(in: .whitespaces))
        }
        let body = Array(bytes[end.upperBound...])
        if !isHead, let length = fields[.contentLength].flatMap(Int.init), length != body.count {
            throw Failure(description: "\(body.count) of \(length) bytes")
        }
        return Answer(status: status, fields: fields, body: body)
    }
}
