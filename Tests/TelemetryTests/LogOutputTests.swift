import Base
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A line arrives whole.
@Suite struct LogOutputTests {
    /// A pipe takes 64 KiB. A longer text is written in pieces, and none of it is lost.
    @Test func `what is long is written whole`() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (readEnd, writeEnd) = (ends[0], ends[1])
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        let writer = Task.detached {
            // Safe because only this task uses the writing end.
            SystemFile.writeAll(writeEnd, bytes)
            close(writeEnd)
        }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1000)
        while true {
            let count = read(readEnd, &buffer, buffer.count)
            guard count > 0 else { break }
            received += buffer.prefix(count)
        }
        close(readEnd)
        await writer.value
        #expect(received == bytes)
    }
}
