import Foundation
import Served
import BenchmarkSupport
import TestSupport

/// Complete logins through a separate server, for each store: how many per second, and what one costs, with few and
/// with many other logins stored.
@main enum LoginBenchmark {
    static let width = 64
    static let logins = Extent.of(4_000, short: 100)

    static func main() async { await Output.reportingErrors { try await self.run() } }

    private static func run() async throws {
        let arguments = BenchmarkArguments(of: "LoginBenchmark", sizes: [1_000, 100_000, 1_000_000])
        var table = ["| store | stored | logins /s | CPU µs per login | vs. fewest |", "|---|--:|--:|--:|--:|"]
        for store in arguments.stores {
            for line in try await self.measure(store, arguments.binary, arguments.sizes) {
                print(line)
                table.append(line)
            }
        }
        print(table.joined(separator: "\n"))
    }

    private static func measure(_ store: ServedStore, _ binary: String, _ sizes: [Int]) async throws -> [String] {
        let server = try await ServerUnderTest(store, binary: binary, connections: self.width)
        var lines: [String] = []
        var first: Double?
        var (stored, fastest) = (0, 0.0)
        do {
            // Fetches discovery and keys, and opens connections.
            try await Load.run(Extent.of(500, short: 20), atOnce: self.width) { [client = server.client] _ in
                try await client.logIn()
            }
            for count in sizes {
                let started = CPUTime.wallSeconds
                try await self.fill(store, server, count - stored)
                Output.note("\(store.rawValue): \(count) stored after \(Int(CPUTime.wallSeconds - started)) s")
                stored = count
                let figures = try await self.figures(server)
                fastest = max(fastest, figures.rate)
                let ratio = figures.cpu / (first ?? figures.cpu)
                first = first ?? figures.cpu
                lines.append(
                    "| \(store.rawValue) | \(count) | \(Int(figures.rate)) | \(Int(figures.cpu)) "
                        + "| \(String(format: "%.2f", ratio)) |")
            }
            switch store {
            case .memory: break
            case .sqlite: Output.note(try self.rawSQLite(server, rate: fastest))
            case .postgresql: Output.note(try self.rawPostgreSQL(rate: fastest))
            }
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        return lines
    }

    /// Adds this many pending logins. In PostgreSQL most of them are copies of the last one's row with other IDs, which
    /// the server need not accept: a million creates would take longer than the rest.
    private static func fill(_ store: ServedStore, _ server: ServerUnderTest, _ count: Int) async throws {
        let created = store == .postgresql ? min(count, Extent.of(1_000, short: 50)) : count
        try await Load.run(created, atOnce: self.width) { [client = server.client] _ in _ = try await client.create() }
        if count > created { try RawPostgreSQL.copyRows(count - created, in: "bench") }
    }

    /// Measures the engine alone, first with as many rows at a time as there are concurrent logins, then row by row.
    private static func rawSQLite(_ server: ServerUnderTest, rate: Double) throws -> String {
        let (writes, bytes) = try RawSQLite.writes(in: "\(server.folder)/switchback.db")
        let grouped = try RawSQLite.rate(
            rowBytes: bytes, writesPerLogin: writes, atOnce: self.width, logins: Extent.of(6_400, short: 128))
        let single = try RawSQLite.rate(
            rowBytes: bytes, writesPerLogin: writes, atOnce: 1, logins: Extent.of(200, short: 5))
        let ours = rate * Double(writes)
        return
            "sqlite alone, rows of \(bytes) bytes: \(Int(grouped)) per second \(self.width) at a time, \(Int(single)) "
            + "one by one; ours \(Int(ours)) (\(writes) per login)"
    }

    /// Measures the engine alone, with as many connections as a server has, and with one.
    private static func rawPostgreSQL(rate: Double) throws -> String {
        let (writes, bytes) = try RawPostgreSQL.writes(in: "bench")
        let many = try RawPostgreSQL.rate(
            rowBytes: bytes, writesPerLogin: writes, connections: 9, logins: Extent.of(3_600, short: 90))
        let single = try RawPostgreSQL.rate(
            rowBytes: bytes, writesPerLogin: writes, connections: 1, logins: Extent.of(200, short: 5))
        return
            "postgresql alone, rows of \(bytes) bytes: \(Int(many)) per second with 9 connections, \(Int(single)) with "
            + "one; ours \(Int(rate * Double(writes))) (\(writes) per login)"
    }

    /// Returns medians of five rounds: logins per second, and microseconds of the server's CPU time per login.
    private static func figures(_ server: ServerUnderTest) async throws -> (rate: Double, cpu: Double) {
        var (rates, costs): ([Double], [Double]) = ([], [])
        for _ in 0..<5 {
            let (cpu, wall) = (try server.cpuSeconds, CPUTime.wallSeconds)
            try await Load.run(self.logins / 5, atOnce: self.width) { [client = server.client] _ in
                try await client.logIn()
            }
            rates.append(Double(self.logins / 5) / (CPUTime.wallSeconds - wall))
            costs.append((try server.cpuSeconds - cpu) * 1e6 / Double(self.logins / 5))
        }
        return (rates.sorted()[2], costs.sorted()[2])
    }
}
