import Base
import StrictJSON
import Synchronization

/// Prints each event of a demo as one line: when it happened, who acted, and what.
final class DemoTimeline: Sendable {
    enum Lane: String {
        case app
        case browser
        case server = "switchback"
        case broker
    }

    /// The time of the first event.
    private let start = Mutex<ContinuousClock.Instant?>(nil)
    private let palette = Console.resultPalette
    /// How long a reader gets for one step. Zero when nobody watches.
    private let pause: Duration

    init(pause: Duration) {
        self.pause = pause
    }

    func title(_ text: String) {
        Console.printResult("\n\(self.palette.text(text, .green))\n")
    }

    /// A remark about what just happened.
    func remark(_ text: String) {
        Console.printResult("            \(self.palette.text(text, .yellow))\n")
    }

    func event(_ lane: Lane, _ text: String) {
        let now = ContinuousClock.now
        let start = self.start.withLock { start in
            if start == nil { start = now }
            return start ?? now
        }
        let time = (now - start).shownInMilliseconds
        Console.printResult("\(time.padded(to: 8))  \(lane.rawValue.padded(to: 10))  \(text)\n")
    }

    /// Shows an event of the server's log, if it is about a login.
    func event(logged line: [UInt8]) {
        guard let event = try? JSON(parsing: line.filter { $0 != 0x0A }), let name = event["event"]?.string,
            name.hasPrefix("login_")
        else { return }
        let details = ["status", "reason", "broker_error", "cause", "tries_left", "proof"].compactMap { key in
            (event[key]?.string ?? event[key]?.integer.map { "\($0)" }).map { "\(key) \($0)" }
        }
        self.event(.server, ([name] + details).joined(separator: "  "))
    }

    func wait() async { try? await Task.sleep(for: self.pause) }
}
