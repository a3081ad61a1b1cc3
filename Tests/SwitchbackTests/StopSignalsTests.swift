import Testing

@testable import Switchback

/// What each signal to stop the process means, by its time.
@Suite struct StopSignalsTests {
    struct Row: Sendable {
        /// Milliseconds of a monotonic clock at which signals come.
        let signals: [Int]
        let actions: [StopSignals.Action]
    }

    @Test(arguments: [
        Row(signals: [0], actions: [.begin]),
        Row(signals: [0, 0], actions: [.begin, .ignore]),
        Row(signals: [0, 20], actions: [.begin, .ignore]),
        Row(signals: [7000, 7999], actions: [.begin, .ignore]),
        Row(signals: [7000, 8000], actions: [.begin, .endAtOnce]),
        Row(signals: [0, 20, 600, 999, 1000], actions: [.begin, .ignore, .ignore, .ignore, .endAtOnce]),
        Row(signals: [0, 20, 5000], actions: [.begin, .ignore, .endAtOnce]),
    ])
    func `another signal counts only after one second`(_ row: Row) {
        var signals = StopSignals()
        #expect(row.signals.map { signals.take(at: .milliseconds($0)) } == row.actions)
    }
}
