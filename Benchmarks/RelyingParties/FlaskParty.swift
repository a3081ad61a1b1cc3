/// A Flask app with Authlib, served by gunicorn.
import Foundation
import Sandbox
import TestSupport

final class FlaskParty: RelyingParty {
    let name = "Authlib with Flask"
    private let party: ForeignParty
    private let process: ChildProcess

    init(_ python: String, connections: Int) async throws {
        let party = try ForeignParty(path: "/callback", connections: connections)
        let root = FileManager.default.currentDirectoryPath
        let variables = [
            "ISSUER=\(party.issuer)", "ORIGIN=\(party.url)", "PYTHONPATH=\(root)/Benchmarks/RelyingParties",
            // The provider has no TLS.
            "AUTHLIB_INSECURE_TRANSPORT=1",
        ]
        self.party = party
        self.process = try ChildProcess(
            path: "/usr/bin/env",
            variables + [
                python, "-m", "gunicorn", "--preload", "--workers", "2", "--threads", "32", "--bind",
                "127.0.0.1:\(party.port)",
                "authlib_flask:app",
            ], in: root, output: "\(party.folder)/output")
        try await party.untilReady(self.process)
    }

    var cpuSeconds: Double { get throws { try ForeignParty.cpuSeconds(of: self.process.id) } }

    func logIn(fault: String) async throws -> Bool {
        let end = try await self.party.browser.logIn(at: "\(self.party.url)/login", of: self.party.url, fault: fault)
        return end.status == 200 && String(decoding: end.body, as: UTF8.self).contains("logged in")
    }

    func requests(of endpoint: RequestLog.Endpoint) -> Int { self.party.requests(of: endpoint) }

    func stop() async { await self.party.stop(self.process) }
}
