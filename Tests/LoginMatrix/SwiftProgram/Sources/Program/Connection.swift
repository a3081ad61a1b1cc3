import Foundation
import SwitchbackClient

// URLSession on Linux leaks, and ignores its deadlines.
/// One request on a connection of its own, which is closed when its task is cancelled. The host is a numeric address.
final class Connection: @unchecked Sendable {
    private struct Lost: Error {}

    private let lock = NSLock()
    /// Nil when the connection is closed. Guarded by `lock`.
    private var socket: Int32?
    private var isCancelled = false

    static func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let connection = Connection()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread { continuation.resume(with: Result { try connection.exchange(request) }) }.start()
            }
        } onCancel: {
            connection.cancel()
        }
    }

    /// Wakes the thread that waits for the response.
    private func cancel() {
        self.lock.withLock {
            self.isCancelled = true
            if let socket { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    private func exchange(_ request: HTTPRequest) throws -> HTTPResponse {
        try self.open(request)
        defer {
            self.lock.withLock {
                if let socket { close(socket) }
                self.socket = nil
            }
        }
        try self.write(Self.message(request))
        return try Self.response(try self.readToEnd())
    }

    private func open(_ request: HTTPRequest) throws {
        guard let host = request.url.host, let port = request.url.port.flatMap(UInt16.init(exactly:)) else {
            throw Lost()
        }
        #if canImport(Glibc)
        let descriptor = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = Foundation.socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw Lost() }
        let isOurs = self.lock.withLock {
            guard !self.isCancelled else { return false }
            self.socket = descriptor
            return true
        }
        guard isOurs else {
            close(descriptor)
            throw Lost()
        }
        var deadline = timeval()
        deadline.tv_sec = Int(request.timeout.rounded(.up))
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &deadline, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { throw Lost() }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Lost() }
    }

    private func write(_ data: Data) throws {
        guard let socket = self.lock.withLock({ self.socket }) else { throw Lost() }
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { throw Lost() }
            rest = rest.dropFirst(count)
        }
    }

    private func readToEnd() throws -> Data {
        guard let socket = self.lock.withLock({ self.socket }) else { throw Lost() }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count >= 0 else { throw Lost() }
            guard count > 0 else { return data }
            data.append(contentsOf: buffer[..<count])
        }
    }

    private static func message(_ request: HTTPRequest) -> Data {
        let query = request.url.query.map { "?\($0)" } ?? ""
        var head = "\(request.method) \(request.url.path)\(query) HTTP/1.1\r\n"
        head += "Host: \(request.url.host ?? ""):\(request.url.port ?? 80)\r\nConnection: close\r\n"
        for (name, value) in request.fields { head += "\(name): \(value)\r\n" }
        if let body = request.body { head += "Content-Length: \(body.count)\r\n" }
        return Data((head + "\r\n").utf8) + (request.body ?? Data())
    }

    /// Reads a response whose end is the end of the connection.
    private static func response(_ data: Data) throws -> HTTPResponse {
        guard let end = data.range(of: Data("\r\n\r\n".utf8)) else { throw Lost() }
        let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { throw Lost() }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw Lost() }
            fields[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let response = HTTPResponse(status: status, fields: fields, body: Data(data[end.upperBound...]))
        // A body that was cut off is no response.
        if let length = response["Content-Length"].flatMap({ Int($0) }), length != response.body.count { throw Lost() }
        return response
    }
}
