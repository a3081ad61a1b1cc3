import Logging
import LoginAPI

/// Counts how often each limit was reached, and logs it once a minute with the setting that raises it. Of the caller it
/// says only which kind of address it has.
package struct LimitRecorder: Sendable {
    private let metrics: ServerMetrics
    private let lines: RepeatedLines

    package init(metrics: ServerMetrics, lines: RepeatedLines) {
        self.metrics = metrics
        self.lines = lines
    }

    @Sendable package func note(_ limit: RequestLimit, of address: AddressClass?) {
        self.note(ReachedLimit(limit), of: address)
    }

    /// `address` is the class of the caller's address, if the limit looks at addresses.
    package func note(_ limit: ReachedLimit, of address: AddressClass? = nil) {
        self.metrics.limitsReached.increment(limit.rawValue)
        self.lines.log(
            level: .notice, "limit_reached",
            metadata: [
                "limit": "\(limit.rawValue)", "setting": "\(limit.setting ?? "none")",
                "address": "\(address?.rawValue ?? "none")",
            ],
            kind: "limit_reached \(limit.rawValue) \(address?.rawValue ?? "none")")
    }
}
