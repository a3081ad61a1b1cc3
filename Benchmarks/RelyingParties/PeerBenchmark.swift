import Foundation
import Sandbox
import Served
import BenchmarkSupport
import TestSupport

/// One relying-party login, beside other relying parties: what it costs each of them.
///
/// Each party has the same provider, gets the same user and does the same: code flow with PKCE and nonce, an ID token
/// signed with RS256, and userinfo. Before the clock runs, each must ask for userinfo, and refuse a forged signature
/// and another nonce.
@main enum PeerBenchmark {
    private static let width = 32
    private static let logins = Extent.of(2_000, short: 20)
    private static let rounds = Extent.of(5, short: 1)
    private static let reference = "mod_auth_openidc in Apache"
    /// The conformance suite's names of what a relying party must refuse.
    private static let tokenFaults = ["oidcc-client-test-invalid-sig-rs256", "oidcc-client-test-nonce-invalid"]
    /// mod_auth_openidc drops such userinfo, and logs the user in with the ID token alone.
    private static let userinfoFault = "oidcc-client-test-userinfo-invalid-sub"

    static func main() async { await Output.reportingErrors { try await self.run() } }

    private static func run() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 2 else {
            print(
                "PeerBenchmark BINARY PYTHON: BINARY is Switchback, PYTHON has Authlib, Flask and gunicorn, or is none")
            exit(1)
        }
        let schemes = ServedProvider.Scheme.installed
        if !schemes.contains(.https) { Output.note("skipped: a provider over https, because nginx is not installed") }
        let wanted = ProcessInfo.processInfo.environment["SCHEMES"]?.split(separator: " ").map(String.init)
        for scheme in schemes where wanted?.contains(scheme.rawValue) ?? true {
            try await Self.compare(over: scheme, arguments[0], python: arguments[1])
        }
    }

    private static func compare(over scheme: ServedProvider.Scheme, _ binary: String, python: String) async throws {
        Output.note("The provider speaks \(scheme.rawValue).")
        var parties = try await Self.parties(scheme, binary, python: python)
        do {
            for party in parties { try await Self.prove(party) }
            let costs = try await Self.measure(parties)
            Output.line(Self.table(costs, scheme).joined(separator: "\n"))
        } catch {
            for party in parties { await party.stop() }
            throw error
        }
        while let party = parties.popLast() { await party.stop() }
    }

    private static func parties(
        _ scheme: ServedProvider.Scheme, _ binary: String, python: String
    ) async throws -> [any RelyingParty] {
        var parties: [any RelyingParty] = []
        for store in ServedStore.installed() {
            parties.append(try await SwitchbackParty(store, binary, scheme: scheme, connections: self.width))
        }
        if FileManager.default.fileExists(atPath: ForeignParty.apacheModule) {
            parties.append(
                try await ForeignParty.apache(
                    name: self.reference, scheme: scheme, connections: self.width))
        } else {
            Output.note("skipped: \(self.reference), which is not installed")
        }
        if python == "none" {
            Output.note("skipped: Authlib with Flask, which is not installed")
        } else {
            parties.append(try await ForeignParty.flask(python, scheme: scheme, connections: self.width))
        }
        return parties
    }

    /// Throws unless the party logs an honest user in with one token request and one of userinfo, and refuses forged
    /// tokens. Notes whether it refuses another user's userinfo or only drops it.
    private static func prove(_ party: any RelyingParty) async throws {
        guard try await party.logIn(fault: "") else { throw BrowserError("\(party.name) refuses an honest login") }
        guard party.requests(of: .token) == 1, party.requests(of: .userinfo) == 1 else {
            throw BrowserError("\(party.name) did not ask for the token and for userinfo once each")
        }
        for fault in self.tokenFaults {
            guard try await !party.logIn(fault: fault) else { throw BrowserError("\(party.name) accepts \(fault)") }
        }
        let isRefused = try await !party.logIn(fault: self.userinfoFault)
        Output.note(
            "\(party.name): refuses \(self.tokenFaults.joined(separator: " and ")), and "
                + (isRefused ? "refuses" : "drops") + " \(self.userinfoFault)")
    }

    /// What the rounds found for a party, in CPU microseconds of a login.
    private struct Costs {
        let name: String
        var own = Samples()
        var database = Samples()
    }

    /// The parties take turns, so that a slow minute hits them all.
    private static func measure(_ parties: [any RelyingParty]) async throws -> [Costs] {
        var costs = parties.map { Costs(name: $0.name) }
        for round in 0...self.rounds {
            for (index, party) in parties.enumerated() {
                let started = (own: try party.cpuSeconds, database: try party.databaseSeconds)
                try await Load.run(self.logins, atOnce: self.width) { _ in
                    guard try await party.logIn(fault: "") else { throw BrowserError("\(party.name) refuses a login") }
                }
                let scale = 1e6 / Double(self.logins)
                let cost = (try party.cpuSeconds - started.own) * scale
                Output.note("\(party.name): \(Int(cost)) µs a login")
                // The first round warms up.
                guard round > 0 else { continue }
                costs[index].own.add(cost)
                if let before = started.database, let after = try party.databaseSeconds {
                    costs[index].database.add((after - before) * scale)
                }
            }
        }
        return costs
    }

    private static func table(_ costs: [Costs], _ scheme: ServedProvider.Scheme) -> [String] {
        let reference = costs.first { $0.name == self.reference }?.own.median ?? .nan
        return [
            "| provider over \(scheme.rawValue) | µs a login | in the database | beside \(self.reference) |",
            "|---|--:|--:|--:|",
        ]
            + costs.map { party in
                let database = party.database.values.isEmpty ? "" : party.database.range(0)
                let ratio = Samples.text(party.own.median / reference, 2)
                return "| \(party.name) | \(party.own.range(0)) | \(database) | \(ratio) |"
            }
    }

}
