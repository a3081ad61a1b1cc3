import Outbound

/// What becomes of a batch of spans after one try, and how long to wait before the next: a value without a clock.
struct ExportBackoff: Equatable {
    enum Verdict: Equatable {
        case taken
        /// Another try would end the same way.
        case refused
        /// The collector may take it later; after this time if it has said so.
        case later(Duration?)
    }

    private static let first = Duration.seconds(1)
    private static let longest = Duration.seconds(60)

    private var next = Self.first

    /// OTLP names the statuses after which a client tries again.
    static func verdict(_ response: OutboundResponse) -> Verdict {
        switch response.status {
        case 200..<300: .taken
        case 429, 502, 503, 504:
            .later(response["retry-after"].flatMap { Int($0) }.map { .seconds(max(0, $0)) })
        default: .refused
        }
    }

    mutating func noteSuccess() { self.next = Self.first }

    /// Returns how long to wait: at least as long as the collector asked for, but never more than a minute, because it
    /// may be a mistake.
    mutating func pause(asked: Duration?) -> Duration {
        defer { self.next = min(self.next * 2, Self.longest) }
        return min(max(self.next, asked ?? .zero), Self.longest)
    }
}
