import Foundation
import Testing

@testable import SwitchbackClient

/// Invariants of the reducer, for any events in any order.
@Suite struct LoginReducerPropertyTests {
    @Test("every event is handled in every state", arguments: Stage.allCases)
    func everyEventInEveryState(_ stage: Stage) {
        let start = stage.bench
        var broken: Set<String> = []
        for event in Stage.events(start.underWay.keys.first ?? 0) {
            var bench = start
            // Twice, because links and impatient users repeat themselves.
            for _ in 0..<2 { broken.formUnion(self.take(event, &bench)) }
        }
        #expect(broken == [])
    }

    @Test("the invariants hold in any order of events", arguments: 0..<200) func anyOrder(_ seed: Int) throws {
        var dice = Dice(state: UInt64(seed))
        var bench = ReducerBench()
        var broken = self.take(.started, &bench)
        for _ in 0..<120 {
            let event = try #require(Stage.events(bench.underWay.keys.first ?? 0).randomElement(using: &dice))
            bench.now = MonotonicInstant(seconds: bench.now.seconds + Double.random(in: 0...40, using: &dice))
            broken += self.take(event, &bench, jitter: Double.random(in: 0...1, using: &dice))
        }
        #expect(broken == [])
    }

    /// Takes one event, and returns the rules that it broke.
    private func take(_ event: LoginReducer.Event, _ bench: inout ReducerBench, jitter: Double = 0) -> [String] {
        let before = bench
        let effects = bench.say(event, jitter: jitter)
        let reducer = bench.reducer
        let secret = reducer.record.secret.exposed
        let rules: [(name: String, holds: Bool)] = [
            ("one request at a time, a poll or another", bench.underWay.count <= 1),
            ("no secret in a URL", bench.underWay.values.allSatisfy { !$0.url.absoluteString.contains(secret) }),
            ("what is forgotten does nothing", !before.reducer.isOver || effects == []),
            ("what is forgotten asks nothing", !reducer.isOver || bench.underWay.isEmpty),
            ("it is forgotten once", bench.forgotten == (reducer.isOver ? [reducer.record.id] : [])),
            (
                "nothing is told after the end",
                !self.isSilent(before) || bench.told.count == before.told.count
            ),
            ("an end is followed by itself, or by its loss", self.staysEnded(before, bench)),
            ("nobody waits for long", bench.wake.map { $0.secondsSince(bench.now) <= 301 } ?? true),
            ("nothing is opened twice", Set(reducer.record.opened).count == reducer.record.opened.count),
            ("what is opened was stored before", self.isStored(bench.told.last, bench)),
            ("whoever waits for an outcome gets one", self.goesOn(bench)),
        ]
        return rules.filter { !$0.holds }.map { "\($0.name), after \(event)" }
    }

    /// Returns whether the app must not be told anything more.
    private func isSilent(_ bench: ReducerBench) -> Bool {
        if bench.told.last?.kind == .failed { return true }
        return bench.reducer.record.isAcknowledged
    }

    private func staysEnded(_ before: ReducerBench, _ bench: ReducerBench) -> Bool {
        guard let known = before.reducer.login, known.isFinal else { return true }
        return bench.reducer.login?.status == known.status
            && bench.told.dropFirst(before.told.count).allSatisfy { $0.isFinal }
    }

    private func isStored(_ state: LoginState?, _ bench: ReducerBench) -> Bool {
        guard case .openBrowser(let launch)? = state?.action?.value else { return true }
        return bench.stored.last?.opened.contains(launch.url) == true
    }

    /// Returns whether a request is running, or there is a time to send one.
    private func goesOn(_ bench: ReducerBench) -> Bool {
        let reducer = bench.reducer
        let isWanted = !reducer.waiting.isEmpty || (reducer.isInForeground && !reducer.record.isAcknowledged)
        guard !reducer.isOver, bench.count > 0, isWanted else { return true }
        return !bench.underWay.isEmpty || bench.wake != nil
    }
}
