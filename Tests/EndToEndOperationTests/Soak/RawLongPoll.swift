import EndToEndSupport
import Foundation
import StrictJSON

/// A long poll that uses a descriptor and no thread, so that thousands can wait at the same time.
struct RawLongPoll: Sendable {
    /// How a long poll ended: `200 pending`, `304`, or the error instead of a response.
    struct End: Sendable {
        let what: String
        /// The `after_ms` of the response.
        let pause: Int?
    }

    private let descriptor: Int32

    init(_ app: PhoneApp, port: UInt16, etag: String?) throws {
        self.descriptor = try TestClient.connect(port: port)
        let known = etag.map { "If-None-Match: \($0)\r\n" } ?? ""
        let text = """
            GET /v1/logins/\(app.id ?? "none") HTTP/1.1\r
            Host: 127.0.0.1\r
            Authorization: Bearer \(app.secret)\r
            Prefer: wait=25\r
            \(known)\r

            """
        try TestClient.write(Array(text.utf8), to: self.descriptor)
    }

    /// Reads the polls one after the other, each until the server closes it, and returns how they ended.
    static func read(_ polls: [RawLongPoll]) async -> [End] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: polls.map { $0.read() }) }
        }
    }

    private func read() -> End {
        defer { close(self.descriptor) }
        var (text, buffer) = ("", [UInt8](repeating: 0, count: 8192))
        while true {
            let count = recv(self.descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else { return End(what: "errno \(errno) after \(text.utf8.count) bytes", pause: nil) }
            if count == 0 { break }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        guard let end = text.range(of: "\r\n\r\n"), let status = text.split(separator: " ").dropFirst().first else {
            return End(what: "no answer", pause: nil)
        }
        guard status == "200" else { return End(what: String(status), pause: nil) }
        let json = try? JSON(parsing: Array(text[end.upperBound...].utf8))
        return End(
            what: "200 \(json?["status"]?.string ?? "cut off")", pause: json?["poll"]?["after_ms"]?.integer)
    }
}
