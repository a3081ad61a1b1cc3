import Foundation
import BenchmarkSupport
import TestSupport

/// The command line of a benchmark that measures stores: the server's binary, and which stores.
package struct BenchmarkArguments {
    package let binary: String
    package let stores: [ServedStore]
    /// How many rows are stored, from few to many: STORED, or `usual`.
    package let sizes: [Int]

    /// Exits with the usage if the binary is missing. The short form has two small sizes.
    package init(of program: String, sizes usual: [Int]) {
        let arguments = CommandLine.arguments.dropFirst()
        guard let binary = arguments.first else {
            print("\(program) BINARY [STORE ...]: BINARY is Switchback, STORE is memory, sqlite or postgresql")
            exit(1)
        }
        let named = arguments.dropFirst().compactMap(ServedStore.init)
        let sizes = ProcessInfo.processInfo.environment["STORED"]?.split(separator: ",").compactMap { Int($0) }
        self.binary = binary
        self.stores = ServedStore.installed(of: named.isEmpty ? ServedStore.allCases : named)
        self.sizes = sizes ?? (Extent.isShort ? [100, 200] : usual)
    }
}

extension ServedStore {
    /// Leaves out PostgreSQL where the short form runs without it, and says so.
    package static func installed(of stores: [ServedStore] = Self.allCases) -> [ServedStore] {
        stores.filter { store in
            guard store == .postgresql, Extent.isShort, !PostgresServer.isWanted else { return true }
            Output.note("skipped: postgresql, which is not installed")
            return false
        }
    }
}
