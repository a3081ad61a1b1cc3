import Logging
import Synchronization
import Testing

@testable import Telemetry

/// An event that may come thousands of times writes one line a minute, and the counts of the lines add up.
@Suite struct RepeatedLinesTests {
    private final class Bench: Sendable {
        let passed = Mutex(Duration.zero)
        let written = Mutex<[String]>([])

        func lines(capacity: Int = 500) -> RepeatedLines {
            let start = ContinuousClock.now
            let logger = Logger(label: "test") { _ in
                LineLogHandler(.text, level: .info, now: { .init(seconds: 0) }) { line in
                    let words = String(decoding: line.dropLast(), as: UTF8.self).split(separator: " ").dropFirst()
                    self.written.withLock { $0.append(words.joined(separator: " ")) }
                }
            }
            return RepeatedLines(logger, capacity: capacity) { start + self.passed.withLock { $0 } }
        }

        func pass(_ seconds: Int) { self.passed.withLock { $0 += .seconds(seconds) } }

        func take() -> [String] {
            self.written.withLock { written in
                defer { written = [] }
                return written
            }
        }
    }

    private static func note(_ name: String, _ number: Int, _ lines: RepeatedLines) -> Bool {
        lines.log(level: .error, name, metadata: ["status": .stringConvertible(number)], kind: name)
    }

    @Test func `an event writes one line a minute that counts the others`() {
        let bench = Bench()
        let lines = bench.lines()
        #expect(Self.note("forged", 0, lines))
        for second in 1...59 {
            bench.pass(1)
            lines.flush()
            #expect(!Self.note("forged", second, lines))
        }
        #expect(Self.note("late", 7, lines), "another kind is not held back")
        #expect(bench.take() == ["error forged status=0 count=1", "error late status=7 count=1"])
        bench.pass(1)
        lines.flush()
        #expect(bench.take() == ["error forged status=59 count=59"], "the last one, without another event")
        bench.pass(59)
        #expect(!Self.note("forged", 61, lines), "the next minute begins with that line")
        bench.pass(1)
        lines.flush()
        #expect(bench.take() == ["error forged status=61 count=1"])
        bench.pass(60)
        lines.flush()
        #expect(bench.take().isEmpty)
        #expect(Self.note("forged", 200, lines), "a kind that was quiet for a minute is said at once")
    }

    @Test func `the counts are written without a flush`() {
        let bench = Bench()
        let lines = bench.lines()
        for second in 0..<60 {
            _ = Self.note("forged", second, lines)
            bench.pass(1)
        }
        #expect(Self.note("forged", 60, lines))
        #expect(bench.take() == ["error forged status=0 count=1", "error forged status=60 count=60"])
    }

    /// A login has a line of its own, so that it is not lost among those of strangers.
    @Test func `each login has a line of its own`() {
        let bench = Bench()
        let lines = bench.lines(capacity: 3)
        func note(_ login: String?) -> Bool {
            lines.log(level: .notice, "late", metadata: [:], kind: "late", login: login)
        }
        #expect(note(nil))
        for login in ["a", "b", "c"] {
            #expect(note(login))
            for _ in 0..<200 { #expect(!note(login)) }
        }
        #expect(!note("d"), "too many logins share the line of their kind")
        #expect(bench.take() == Array(repeating: "notice late count=1", count: 4))
        bench.pass(60)
        lines.flush()
        #expect(bench.take().sorted() == ["notice late count=1"] + Array(repeating: "notice late count=200", count: 3))
        bench.pass(60)
        lines.flush()
        #expect(note("d"), "there is room again")
    }

    @Test func `nothing is lost at the end`() {
        let bench = Bench()
        let lines = bench.lines()
        for number in 0..<5 { _ = Self.note("forged", number, lines) }
        lines.flushAll()
        lines.flushAll()
        #expect(bench.take() == ["error forged status=0 count=1", "error forged status=4 count=4"])
    }
}
