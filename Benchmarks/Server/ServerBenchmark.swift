import Foundation
import BenchmarkSupport

/// Compares the HTTP server with nginx and Hummingbird: starts, creates, long polls, wake-ups, sweeps.
@main enum ServerBenchmark {
    private static let parts = ["starts", "creates", "holding", "many", "sweeps", "handshakes"]

    static func main() async { await Output.reportingErrors { try await self.run() } }

    private static func run() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "serve" where arguments.count == 2: try await ClockedServer.run(arguments[1])
        case "hold" where arguments.count == 3:
            try LongPollBenchmark.hold(Int(arguments[2]) ?? 0, at: UInt16(arguments[1]) ?? 0)
        case "measure" where arguments.count >= 3:
            let programs = RunningServer.Programs(
                switchback: arguments[1], hummingbird: arguments[2] == "none" ? nil : arguments[2],
                own: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            let parts = arguments.dropFirst(3)
            for peer in Set(Peer.allCases).subtracting(Peer.all(programs)) {
                Output.note("skipped: \(peer.rawValue), which is not installed")
            }
            for part in parts.isEmpty ? self.parts : Array(parts) {
                try self.measure(part, programs)
            }
        default:
            let parts = self.parts.joined(separator: "|")
            Output.line("ServerBenchmark measure SWITCHBACK HUMMINGBIRD|none [\(parts) ...]")
            exit(1)
        }
    }

    private static func measure(_ part: String, _ programs: RunningServer.Programs) throws {
        switch part {
        case "starts": try Starts.measure(programs)
        case "creates": try Creates.measure(programs)
        case "holding": try LongPollBenchmark.measure(programs)
        case "many": try LongPollBenchmark.measureMany(programs)
        case "handshakes": try Handshakes.measure(programs)
        case "sweeps":
            let stored = ProcessInfo.processInfo.environment["STORED"].flatMap { Int($0) }
            try Sweeps.measure(programs, stored: stored ?? Extent.of(1_000_000, short: 500))
        default:
            Output.line("There is no part \(part), only: \(self.parts.joined(separator: " "))")
            exit(1)
        }
        Output.line("")
    }
}
