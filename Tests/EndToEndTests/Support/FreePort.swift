/// Ports for servers that must know theirs before they listen: each is given out once.
///
/// They lie below those that the system gives to whoever asks for any, so nobody takes one in between.
import Foundation
import Synchronization

enum FreePort {
    private static let next = Mutex(UInt16.random(in: 10_000..<16_000))

    static func find() throws -> UInt16 {
        for _ in 0..<1000 {
            let port = self.next.withLock { next in
                next = next >= 30_000 ? 10_000 : next + 1
                return next
            }
            guard let descriptor = try? TestClient.connect(port: port) else { return port }
            close(descriptor)
        }
        throw TestClient.Failure(description: "no free port")
    }
}
