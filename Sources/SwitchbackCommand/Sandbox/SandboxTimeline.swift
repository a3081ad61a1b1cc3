import Base
import Sandbox

/// What a sandbox prints on a terminal while it runs: a line for each call, as in a demo, and one for each login that
/// has ended.
struct SandboxTimeline: Sendable {
    private static let server = CallLane.switchback.rawValue

    private let palette: Palette
    private let publicURL: String
    private let print: @Sendable (String) -> Void

    init(
        _ plan: SandboxPlan, palette: Palette = Console.resultPalette,
        print: @escaping @Sendable (String) -> Void = Console.printResult
    ) {
        self.publicURL = plan.publicURL
        self.palette = palette
        self.print = print
    }

    /// A poll that had nothing new to say is no event.
    func show(_ call: RecordedCall, at time: Timestamp) {
        guard let status = call.status, status != 304 else { return }
        let path = call.path.prefix { $0 != "?" }
        let place = call.to == .broker ? " at the broker" : ""
        let result = status < 400 ? "\(status)" : self.palette.text("\(status)", .red)
        self.line(time, call.from.rawValue, "\(call.method) \(path)\(place) → \(result)")
    }

    /// Shows a line of the server's log, as a terminal has it, if a login has ended or something is wrong.
    func show(logged bytes: [UInt8], at time: Timestamp) {
        let line = String(decoding: bytes, as: UTF8.self).filter { $0 != "\n" }
        let words = line.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count > 2 else { return }
        if ["warning", "error", "critical"].contains(words[1]) {
            return self.line(time, Self.server, self.palette.text(words[1...].joined(separator: " "), .yellow))
        }
        guard words[2] == "login_ended" else { return }
        let fields = Dictionary(
            words.dropFirst(3).compactMap { word -> (String, String)? in
                guard let mark = word.firstIndex(of: "=") else { return nil }
                return (String(word[..<mark]), String(word[word.index(after: mark)...]).filter { $0 != "\"" })
            }, uniquingKeysWith: { first, _ in first })
        self.end(fields, time)
    }

    /// One line, whatever happened, so that the last lines of a terminal are a list of logins.
    private func end(_ fields: [String: String], _ time: Timestamp) {
        let status = fields["status"] ?? ""
        let isCompleted = status == "completed"
        let why = [fields["reason"], fields["broker_error"]].compactMap(\.self).joined(separator: ", ")
        let result = "\(isCompleted ? "✓" : "✗") \(status)\(why.isEmpty || isCompleted ? "" : ": \(why)")"
        let link = "\(self.publicURL)/sandbox/calls?login=\(fields["login"] ?? "")"
        let words = [fields["provider"], fields["reference"], link].compactMap(\.self)
        let colour: Palette.Colour = isCompleted ? .green : status == "failed" ? .red : .yellow
        let took = fields["duration_ms"].flatMap(Int.init).map { Duration.milliseconds($0).shownInSeconds }
        let rest = ([took].compactMap(\.self) + words).joined(separator: "  ")
        self.line(time, Self.server, "\(self.palette.text(result, colour))  \(rest)")
    }

    private func line(_ time: Timestamp, _ lane: String, _ text: String) {
        let clock = time.rfc3339.drop { $0 != "T" }.dropFirst().prefix(8)
        self.print("\(clock)  \(lane.padded(to: 10))  \(text)\n")
    }
}
