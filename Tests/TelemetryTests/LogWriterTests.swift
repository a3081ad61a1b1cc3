import Base
import Foundation
import Logging
import StrictJSON
import Testing

@testable import Telemetry

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The writer of log lines, with a real pipe: nobody waits for its reader.
@Suite(.blocking, .timeLimit(.minutes(1))) struct LogWriterTests {
    /// A pipe whose reader reads when the test says so.
    private struct Pipe {
        let readEnd: Int32
        let writeEnd: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            (self.readEnd, self.writeEnd) = (ends[0], ends[1])
        }

        /// Reads until the lines are as `isWhole` says, or to the end.
        func lines(until isWhole: ([Substring]) -> Bool) -> [Substring] {
            var received: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let lines = received.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
                    .map { Substring(String(decoding: $0, as: UTF8.self)) }
                guard !isWhole(lines) else { return lines }
                let count = read(self.readEnd, &buffer, buffer.count)
                guard count > 0 else { return lines }
                received += buffer.prefix(count)
            }
        }
    }

    private static func logger(_ writer: LogWriter) -> Logger { LogOutput.logger(level: .debug, to: writer) }

    @Test func `every line arrives in order`() throws {
        let pipe = try Pipe()
        let writer = LogWriter(pipe.writeEnd, shape: .text)
        let logger = Self.logger(writer)
        for number in 0..<100 { logger.info("line", metadata: ["number": "\(number)"]) }
        #expect(writer.flush())
        writer.close()
        #expect(pipe.lines { $0.count == 100 }.enumerated().allSatisfy { $1.hasSuffix(" info line number=\($0)") })
        #expect(writer.dropped == 0)
        for end in [pipe.readEnd, pipe.writeEnd] { close(end) }
    }

    /// A pipe takes 64 KiB and the queue as much. Then lines are dropped, and the logger never waits.
    @Test func `a reader that stops is told what it missed`() throws {
        let pipe = try Pipe()
        let writer = LogWriter(pipe.writeEnd, shape: .json, capacity: 65_536)
        let logger = Self.logger(writer)
        for number in 0..<2000 { logger.info("line", metadata: ["number": "\(number)"]) }
        logger.error("last")
        let dropped = writer.dropped
        #expect((1..<2000).contains(dropped))
        #expect(!writer.flush(within: .milliseconds(50)), "the wait ends without the reader")
        // The reader is back.
        func parsed(_ lines: [Substring]) -> [JSON] { lines.compactMap { try? JSON(parsing: Array($0.utf8)) } }
        func told(_ lines: [JSON]) -> [JSON] { lines.filter { $0["event"]?.string == "log_lines_dropped" } }
        let lines = parsed(pipe.lines { $0.last?.contains("\"event\":\"last\"") == true })
        #expect(lines.count - told(lines).count == 2001 - dropped)
        #expect(told(lines).reduce(0) { $0 + ($1["count"]?.integer ?? 0) } == dropped)
        for line in told(lines) {
            #expect(line["level"]?.string == "warning")
            let times = ["since", "until"].map { line[$0]?.string ?? "" }
            #expect(times.allSatisfy { $0.wholeMatch(of: /20[0-9-]{8}T[0-9:.]{12}Z/) != nil } && times[0] <= times[1])
        }
        #expect(lines.last?["event"]?.string == "last", "errors have room of their own")
        #expect(writer.flush())
        writer.close()
        for end in [pipe.readEnd, pipe.writeEnd] { close(end) }
    }

    /// Whoever shares the descriptor may have set O_NONBLOCK. We wait, lose nothing, and change no flag.
    @Test(arguments: [false, true]) func `the flags of the descriptor are not ours`(_ isNonblocking: Bool) throws {
        let pipe = try Pipe()
        let flags = fcntl(pipe.writeEnd, F_GETFL) | (isNonblocking ? O_NONBLOCK : 0)
        try #require(fcntl(pipe.writeEnd, F_SETFL, flags) == 0)
        let writer = LogWriter(pipe.writeEnd, shape: .text)
        let logger = Self.logger(writer)
        for number in 0..<2000 { logger.info("line", metadata: ["number": "\(number)"]) }
        #expect(pipe.lines { $0.count == 2000 }.count == 2000)
        #expect(writer.flush() && writer.dropped == 0)
        #expect(fcntl(pipe.writeEnd, F_GETFL) == flags)
        writer.close()
        for end in [pipe.readEnd, pipe.writeEnd] { close(end) }
    }

    /// A closed pipe ends nothing, and a full disk neither: what cannot be written is counted.
    @Test(arguments: ["a closed pipe", "a full disk"])
    func `what cannot be written is counted`(_ place: String) throws {
        let pipe = try Pipe()
        let disk = open("/dev/full", O_WRONLY)
        close(pipe.readEnd)
        let writer = LogWriter(place == "a full disk" ? disk : pipe.writeEnd, shape: .text)
        let logger = Self.logger(writer)
        for _ in 0..<10 { logger.info("line") }
        #expect(writer.flush())
        #expect(writer.dropped == 10)
        writer.close()
        for end in [disk, pipe.writeEnd] { close(end) }
    }
}
