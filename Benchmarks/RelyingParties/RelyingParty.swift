import Sandbox
import Served
import BenchmarkSupport
import TestSupport

/// A relying party in a process of its own.
protocol RelyingParty: Sendable {
    var name: String { get }

    /// The CPU time that all its processes have used, in seconds.
    var cpuSeconds: Double { get throws }

    /// The CPU time that its database has used, in seconds. Nil if it has none.
    var databaseSeconds: Double? { get throws }

    /// Runs a login in which the provider makes this mistake, or none. Returns whether the user is logged in.
    func logIn(fault: String) async throws -> Bool

    /// How many requests of this kind its provider has had.
    func requests(of endpoint: RequestLog.Endpoint) -> Int

    func stop() async
}

extension RelyingParty {
    var databaseSeconds: Double? { get throws { nil } }
}

/// Switchback with a store, and the app that polls it.
final class SwitchbackParty: RelyingParty {
    let name: String
    private let store: ServedStore
    private let server: ServerUnderTest

    init(_ store: ServedStore, _ binary: String, scheme: ServedProvider.Scheme, connections: Int) async throws {
        self.name = "Switchback, \(store.rawValue)"
        self.store = store
        self.server = try await ServerUnderTest(
            store, binary: binary, connections: connections, algorithm: .rs256, scheme: scheme)
    }

    var cpuSeconds: Double { get throws { try self.server.cpuSeconds } }

    var databaseSeconds: Double? {
        get throws {
            guard self.store == .postgresql, let postmaster = try PostgresServer.shared().processID else { return nil }
            return try ProcessStat.cpuSeconds(ofFamily: postmaster)
        }
    }

    func logIn(fault: String) async throws -> Bool { try await self.server.client.logIn(fault: fault) }

    func requests(of endpoint: RequestLog.Endpoint) -> Int { self.server.provider.sandbox.count(of: endpoint) }

    func stop() async { await self.server.stop() }
}
