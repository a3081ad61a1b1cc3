import Base

/// Metrics in the text format of Prometheus, version 0.0.4.
struct ExpositionText {
    private(set) var text = ""

    /// Writes nothing for a metric that has counted nothing yet.
    mutating func write(_ family: MetricFamily) {
        let series = family.sorted
        guard !series.isEmpty else { return }
        let metric = family.metric
        if !metric.help.isEmpty { self.text += "# HELP \(metric.name) \(Self.escaped(metric.help))\n" }
        self.text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
        for one in series {
            switch metric.kind {
            case .counter, .gauge: self.writeSample(metric.name, one.labels, one.state.value)
            case .histogram: self.writeHistogram(metric, one)
            }
        }
    }

    /// Writes a metric whose samples are lines already.
    mutating func write(_ metric: Metric, lines: String) {
        guard !lines.isEmpty else { return }
        self.text +=
            "# HELP \(metric.name) \(Self.escaped(metric.help))\n# TYPE \(metric.name) \(metric.kind.rawValue)\n"
        self.text += lines
    }

    private mutating func writeHistogram(_ metric: Metric, _ series: MetricSeries) {
        let state = series.state
        var count = 0
        for (upperBound, bucketCount) in zip(metric.buckets.map(Self.number) + ["+Inf"], state.counts) {
            count += bucketCount
            self.writeSample(metric.name + "_bucket", series.labels + [Parameter("le", upperBound)], Double(count))
        }
        self.writeSample(metric.name + "_sum", series.labels, state.value)
        self.writeSample(metric.name + "_count", series.labels, Double(count))
    }

    private mutating func writeSample(_ name: String, _ labels: [Parameter], _ value: Double) {
        let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }.joined(separator: ",")
        self.text += name + (list.isEmpty ? "" : "{\(list)}") + " \(Self.number(value))\n"
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { String($0) } ?? String(value)
    }

    static func escaped(_ text: String, quotes: Bool = false) -> String {
        // By scalars: a quote and a combining mark after it are one character.
        text.replacing("\r\n", with: "\n").unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\"" where quotes: "\\\""
            default: String(scalar)
            }
        }.joined()
    }
}
