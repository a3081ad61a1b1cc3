import Base
import Logging
import TestSupport
import Testing

@testable import Telemetry

/// Which log lines wait, which are dropped, and what is said about those.
@Suite struct LogQueueTests {
    /// Its line is 100 bytes with what it takes beside them.
    private static func line(_ number: Int) -> [UInt8] {
        let text = Array("\(number)".utf8)
        return text + [UInt8](repeating: UInt8(ascii: "."), count: 100 - LogQueue.overhead - text.count)
    }

    private static func time(_ seconds: Int) -> Timestamp { Timestamp(seconds: seconds) }

    @Test(arguments: [
        (Logger.Level.trace, "request", LogRank.ordinary), (.debug, "request", .ordinary),
        (.info, "login_proof_refused", .ordinary), (.notice, "login_callback_ignored", .ordinary),
        (.warning, "login_open_failed", .warning), (.info, "login_ended", .end), (.error, "store_failed", .error),
        (.critical, "store_failed", .error), (.error, "login_ended", .error),
    ]) func `each event has its rank`(_ level: Logger.Level, _ event: String, _ rank: LogRank) {
        #expect(LogRank(level, event: event) == rank)
    }

    /// What strangers can cause fills half of the room, and errors are dropped last.
    @Test func `a higher rank has room of its own`() {
        var queue = LogQueue(capacity: 8000)
        for (rank, room) in [(LogRank.ordinary, 40), (.warning, 60), (.end, 70), (.error, 80)] {
            for number in 0..<100 { queue.add(Self.line(number), rank, at: Self.time(1)) }
            #expect(queue.used == room * 100, "\(rank)")
        }
        #expect(queue.dropped == 400 - 80)
        for rank in LogRank.allCases { queue.add(Self.line(0), rank, at: Self.time(1)) }
        #expect(queue.dropped == 400 - 80 + 4)
    }

    /// The line that is being written still takes its room.
    @Test func `the loss is told as soon as the reader is back`() {
        var queue = LogQueue(capacity: 8 * 200)
        for number in 0..<20 { queue.add(Self.line(number), .error, at: Self.time(number)) }
        #expect(queue.dropped == 4)
        let first = queue.next()
        #expect(first == .loss(LogQueue.Loss(count: 4, first: Self.time(16), last: Self.time(19))))
        queue.finish(
            .loss(LogQueue.Loss(count: 4, first: Self.time(16), last: Self.time(19))), isWritten: true,
            at: Self.time(20))
        let line = queue.next()
        #expect(line == .line(Self.line(0)))
        queue.add(Self.line(20), .error, at: Self.time(21))
        #expect(queue.dropped == 5)
        queue.finish(.line(Self.line(0)), isWritten: true, at: Self.time(22))
        queue.add(Self.line(21), .error, at: Self.time(23))
        #expect(queue.dropped == 5)
        #expect(queue.next() == .loss(LogQueue.Loss(count: 1, first: Self.time(21), last: Self.time(21))))
    }

    /// A full disk: each line is tried, and the loss is told after one that could be written.
    @Test func `what cannot be written is lost`() {
        var queue = LogQueue(capacity: 8000)
        for number in 0..<3 { queue.add(Self.line(number), .ordinary, at: Self.time(0)) }
        for number in 0..<2 {
            #expect(queue.next() == .line(Self.line(number)))
            queue.finish(.line(Self.line(number)), isWritten: false, at: Self.time(10 + number))
        }
        #expect(queue.dropped == 2)
        #expect(queue.next() == .line(Self.line(2)), "not the loss, over and over")
        queue.finish(.line(Self.line(2)), isWritten: true, at: Self.time(12))
        let loss = LogQueue.Loss(count: 2, first: Self.time(10), last: Self.time(11))
        #expect(queue.next() == .loss(loss))
        queue.finish(.loss(loss), isWritten: false, at: Self.time(13))
        #expect(queue.next() == nil)
        queue.add(Self.line(3), .ordinary, at: Self.time(14))
        #expect(queue.next() == .line(Self.line(3)))
        queue.finish(.line(Self.line(3)), isWritten: true, at: Self.time(15))
        #expect(queue.next() == .loss(loss), "nothing of it is forgotten")
        #expect(queue.dropped == 2)
    }

    /// Whatever happens: each line is written once, in order, or counted as dropped; and the losses that were told are
    /// all there were.
    @Test(arguments: 1...20) func `no line is forgotten`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var queue = LogQueue(capacity: 8 * Int.random(in: 200...2000, using: &random))
        var (added, written, told, taken) = (0, [[UInt8]](), 0, LogQueue.Entry?.none)
        func step(isWritten: Bool) {
            if let entry = taken {
                queue.finish(entry, isWritten: isWritten, at: Self.time(added))
                taken = nil
                guard isWritten else { return }
                switch entry {
                case .line(let line): written.append(line)
                case .loss(let loss): told += loss.count
                }
            } else {
                taken = queue.next()
            }
        }
        for _ in 0..<5000 {
            if Bool.random(using: &random) {
                let rank = LogRank.allCases.randomElement(using: &random) ?? .ordinary
                queue.add(Self.line(added), rank, at: Self.time(added))
                added += 1
            } else {
                step(isWritten: Int.random(in: 0..<10, using: &random) > 0)
            }
            #expect(queue.used >= 0)
        }
        // The reader is back.
        queue.add(Self.line(added), .error, at: Self.time(added))
        added += 1
        if taken != nil { step(isWritten: true) }
        while true {
            step(isWritten: true)
            guard taken != nil else { break }
            step(isWritten: true)
        }
        #expect(written.count + queue.dropped == added)
        #expect(told == queue.dropped)
        #expect(queue.used == 0)
        let numbers = written.compactMap { Int(String(decoding: $0.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self)) }
        #expect(numbers == numbers.sorted() && Set(numbers).count == written.count)
    }
}
