/// One metric: its name, what it counts and in which unit, and the labels it has.
package struct Metric: Sendable {
    package enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    package let name: String
    package let kind: Kind
    /// One sentence, with the unit.
    package let help: String
    package let labels: [String]
    /// Upper bounds in seconds, rising; for histograms.
    package let buckets: [Double]

    init(_ name: String, _ kind: Kind, _ help: String, labels: [String] = [], buckets: [Double] = []) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labels = labels
        self.buckets = buckets
    }

    /// For one request.
    static let requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// For what a person does.
    static let personBuckets = [1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600.0]
}
