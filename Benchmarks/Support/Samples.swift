/// Numbers with their median and percentiles.
package struct Samples {
    package private(set) var values: [Double] = []

    package init(_ values: [Double] = []) { self.values = values }

    package mutating func add(_ value: Double) { self.values.append(value) }

    package var median: Double { self.percentile(0.5) }

    package var maximum: Double { self.values.max() ?? .nan }

    package func percentile(_ part: Double) -> Double {
        guard !self.values.isEmpty else { return .nan }
        return self.values.sorted()[min(self.values.count - 1, Int(Double(self.values.count) * part))]
    }

    /// `6.8 (6.7–7.2)`
    package func range(_ digits: Int = 1) -> String {
        "\(Self.text(self.median, digits)) (\(Self.text(self.percentile(0), digits))–\(Self.text(self.maximum, digits)))"
    }

    package static func text(_ value: Double, _ digits: Int = 1) -> String {
        guard value.isFinite else { return "?" }
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let rounded = (value * scale).rounded() / scale
        return digits == 0 ? String(Int(rounded)) : String(rounded)
    }
}
