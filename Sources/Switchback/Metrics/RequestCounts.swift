/// How many requests of each route were answered with which status. Counted on every request, so its series are found
/// without a text of the status and without an array of labels.
import HTTPWire
import Synchronization

package final class RequestCounts: Sendable {
    private struct Labels: Hashable {
        let route: String
        let status: Status
    }

    private let group: CounterGroup
    private let known = Mutex<[Labels: MetricSeries]>([:])

    init(_ group: CounterGroup) { self.group = group }

    /// `route` is one of few words, and so is what it can be answered with.
    package func count(_ route: String, _ status: Status) {
        let labels = Labels(route: route, status: status)
        let series = self.known.withLock { known in
            if let series = known[labels] { return series }
            let made = self.group.series(route, String(status.rawValue))
            known[labels] = made
            return made
        }
        series.add(1)
    }
}
