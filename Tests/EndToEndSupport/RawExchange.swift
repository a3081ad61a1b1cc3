import Foundation
import TestSupport

/// Bytes over a connection as a test writes them, and whatever the server answers.
package enum RawExchange {
    /// Returns everything that arrives after the client has sent its request.
    package static func send(_ request: String, port: UInt16, endsSending: Bool = true) async throws -> String {
        try await self.send(request, endsSending: endsSending) { try TestClient.connect(port: port, seconds: 20) }
    }

    package static func send(
        _ request: String, endsSending: Bool = true, over connect: @escaping @Sendable () throws -> Int32
    ) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { @Sendable in
                continuation.resume(
                    with: Result {
                        let descriptor = try connect()
                        defer { close(descriptor) }
                        try TestClient.write(Array(request.utf8), to: descriptor)
                        if endsSending { shutdown(descriptor, Int32(SHUT_WR)) }
                        var bytes: [UInt8] = []
                        var buffer = [UInt8](repeating: 0, count: 16_384)
                        while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
                            bytes += buffer.prefix(count)
                        }
                        return String(decoding: bytes, as: UTF8.self)
                    })
            }
        }
    }
}
