import EventLoop
import HTTPWire
import TestSupport
import Testing

@testable import HTTPServer

/// Progress: every response that is due arrives, in order, or the connection is cut off within its limits. This runs
/// with random pipelines, networks, readers, half-closes and resets, each from a seed.
@Suite(.serialized) struct ConnectionProgressTests {
    private static let runs: Range<UInt64> =
        TableSample.seeds("simulated connections", 100, of: 10_000)

    @Test(arguments: [SimulatedConnection.Behaviour.keepsOpen, .asksToClose, .halfCloses])
    func `every owed response arrives`(_ behaviour: SimulatedConnection.Behaviour) async {
        for seed in Self.runs {
            // This computes without a pause, and other tests need the thread too.
            await Task.yield()
            var run = SimulatedConnection(behaviour, seed: seed)
            while !run.isClosed {
                guard let event = run.possible.randomElement(using: &run.dice) else {
                    // Only the clock can move this run on.
                    guard run.isWholeReceived, behaviour != .keepsOpen, run.passTime() else { break }
                    continue
                }
                run.happen(event)
            }
            run.received += run.kernel
            #expect(run.isWholeReceived, "seed \(seed): \(run.ends.count) of \(run.requests), \(run.state.phase)")
            #expect(run.isClosed == (behaviour != .keepsOpen), "seed \(seed): \(run.state.phase)")
            #expect(!run.isAbandoned, "seed \(seed)")
            // It closes soon after the client has everything, not at the end of a limit.
            if run.isClosed { #expect(run.now - run.lastProgress <= 1100, "seed \(seed)") }
            // The connection still reads, with a deadline.
            if behaviour == .keepsOpen {
                #expect(run.interest == .read && run.state.isIdle && run.rings != nil, "seed \(seed)")
            }
        }
    }

    @Test func `a client that stops reading is cut off within the limits`() async {
        for seed in Self.runs {
            // This computes without a pause, and other tests need the thread too.
            await Task.yield()
            var run = SimulatedConnection(.stopsReading, seed: seed)
            while !run.isClosed {
                if let event = run.possible.randomElement(using: &run.dice) {
                    run.happen(event)
                } else if !run.passTime() {
                    break
                }
            }
            #expect(run.isClosed, "seed \(seed): \(run.state.phase)")
            #expect(run.isAbandoned == (run.received < run.written), "seed \(seed)")
            let limit = (run.limits.idleTime + run.limits.writeTime).milliseconds
            #expect(run.now - run.lastProgress <= limit + 10_000, "seed \(seed)")
        }
    }

    @Test func `a reset ends the connection whatever it does`() async {
        for seed in Self.runs {
            // This computes without a pause, and other tests need the thread too.
            await Task.yield()
            var run = SimulatedConnection(.resets, seed: seed)
            while !run.isClosed {
                // A connection that watches nothing must have a deadline.
                guard let event = run.possible.randomElement(using: &run.dice) else {
                    guard !run.isSpinning, run.passTime() else { break }
                    continue
                }
                run.happen(event)
            }
            #expect(!run.isSpinning, "seed \(seed)")
            #expect(run.isClosed, "seed \(seed): \(run.state.phase)")
        }
    }
}
