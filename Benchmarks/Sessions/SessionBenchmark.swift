/// What renewals and unlocks of sessions cost: beside the bare operations in them, and with few and many sessions
/// stored.
import Foundation
import Served
import Support
import TestSupport

@main enum SessionBenchmark {
    /// How many requests run at a time.
    static let width = 64
    static let rounds = Extent.of(7, short: 1)

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let binary = arguments.first else {
            print("SessionBenchmark BINARY [STORE ...]: BINARY is Switchback, STORE is memory, sqlite or postgresql")
            exit(1)
        }
        let named = arguments.dropFirst().compactMap(ServedStore.init)
        let stores = (named.isEmpty ? ServedStore.allCases : named).filter { store in
            guard store == .postgresql, Extent.isShort, !PostgresServer.isWanted else { return true }
            self.note("skipped: postgresql, which is not installed")
            return false
        }
        let sizes = ProcessInfo.processInfo.environment["STORED"]?.split(separator: ",").compactMap { Int($0) }
        var (served, stored) = (ServedCosts.head, StoredCosts.head)
        for store in stores {
            let stage = try await FlowStage(store)
            served += try await ServedCosts.measure(store, binary, beside: stage)
            stored += try await StoredCosts.measure(
                store, stage, sizes ?? (Extent.isShort ? [100, 200] : [1_000, 1_000_000]))
            await stage.close()
        }
        print((served + [""] + stored).joined(separator: "\n"))
    }

    static func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
