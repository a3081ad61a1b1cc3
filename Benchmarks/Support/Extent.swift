import Glibc

/// How much is measured: enough for figures, or just enough to see that a benchmark still runs (`Benchmarks/run
/// --short`).
package enum Extent {
    package static let isShort = getenv("BENCHMARK_SHORT") != nil

    package static func of(_ usual: Int, short: Int) -> Int { self.isShort ? short : usual }

    package static func of(_ usual: Double, short: Double) -> Double { self.isShort ? short : usual }
}
