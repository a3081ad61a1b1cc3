import EndToEndSupport
import Foundation
import StrictJSON
import TestSupport
import Testing

/// A program whose log nobody reads: no login waits, readiness says what is true, SIGTERM ends it, and the dropped
/// lines are counted exactly. `make soak` does the same for ten minutes.
@Suite(.blocking, .serialized, .timeLimit(.minutes(20))) struct StalledLogTests {
    /// More than the pipe and the queue take of lines that strangers cause.
    private static let enough = 800

    @Test func `nothing waits for the reader`() async throws {
        let log = try await StalledLogStage()
        let load = StalledLogLoad(log.stage.url)
        try await load.run { $0 >= Self.enough }
        #expect(try await log.dropped() > 0)
        #expect(try await TestClient.send("GET", "\(log.stage.operations)/readyz").status == 200)
        try await log.login()
        #expect(load.tally.started == load.tally.ended)
        try await log.endWithReader()
    }

    @Test func `a stop does not wait for the reader`() async throws {
        let log = try await StalledLogStage()
        try await StalledLogLoad(log.stage.url).run { $0 >= Self.enough }
        #expect(try await log.dropped() > 0)
        try await log.endWithoutReader()
    }

    @Test(.enabled(if: TestTier.isSoak, "make soak runs it"))
    func `ten minutes without a reader stop nothing`() async throws {
        let log = try await StalledLogStage(binary: TestTier.soakProgram)
        let load = StalledLogLoad(log.stage.url)
        let progress = SoakProgress("a log that nobody reads")
        let end = ContinuousClock.now + .seconds(TestTier.soakCount(600, atLeast: 10))
        let watch = Task { () -> (ready: Int, others: Int) in
            var (ready, others) = (0, 0)
            while !Task.isCancelled {
                let answer = try? await TestClient.send("GET", "\(log.stage.operations)/readyz", within: 5)
                if answer?.status == 200 { ready += 1 } else { others += 1 }
                try? await Task.sleep(for: .seconds(1))
            }
            return (ready, others)
        }
        var whole = 0
        try await progress.during({ load.tally.line }) {
            async let loaded: Void = load.run { _ in ContinuousClock.now >= end }
            try await loaded
        }
        while whole < 10 {
            try await log.login()
            whole += 1
        }
        watch.cancel()
        let readiness = await watch.value
        let dropped = try await log.dropped()
        progress.say(
            "\(load.tally.line), \(dropped) lines dropped, /readyz 200 \(readiness.ready) times, otherwise \(readiness.others)"
        )
        #expect(readiness.others == 0 && readiness.ready > 0)
        #expect(load.tally.started == load.tally.ended && dropped > 0)
        let lines = try await log.endWithReader()
        progress.say("\(lines) lines read and \(dropped) dropped are all that were logged")
    }
}
