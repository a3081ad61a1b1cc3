/// Everything that a server under test has logged.
import Synchronization

final class CapturedLog: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    func append(_ line: [UInt8]) { self.bytes.withLock { $0 += line } }

    var text: String { self.bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}
