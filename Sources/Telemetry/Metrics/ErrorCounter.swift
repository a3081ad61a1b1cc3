import OpenIDConnect
import Synchronization

/// Counts the errors of brokers by their codes, with few labels: codes come from outside, and a broker may make up any.
package final class ErrorCounter: Sendable {
    /// How many codes of a broker are counted by name, besides those that are registered or in its kind's list.
    private static let mostOthers = 20

    private let counters: CounterGroup
    /// The other codes that were counted by name, by broker.
    private let others = Mutex<[String: Set<String>]>([:])

    init(_ counters: CounterGroup) { self.counters = counters }

    package func count(_ word: ErrorWord, of broker: String) {
        self.counters.increment(broker, self.label(word, of: broker))
    }

    private func label(_ word: ErrorWord, of broker: String) -> String {
        guard !word.isListed else { return word.text }
        let isNamed = self.others.withLock { others in
            if others[broker, default: []].contains(word.text) { return true }
            guard others[broker, default: []].count < Self.mostOthers else { return false }
            others[broker, default: []].insert(word.text)
            return true
        }
        return isNamed ? word.text : "other"
    }
}
