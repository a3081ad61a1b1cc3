import CSSL
import Dispatch
import Foundation
import BenchmarkSupport
import Synchronization

/// The cost of a TLS handshake, full and resumed, compared with nginx using the same certificate.
enum Handshakes {
    private static let rounds = Extent.of(5, short: 1)
    private static let count = Extent.of(2000, short: 64)
    /// This many run at once, as under load: a server that serves one client after the other sleeps in between.
    private static let clients = 16

    static func measure(_ programs: RunningServer.Programs) throws {
        try Cores.takeSecond()
        defer { Cores.takeBoth() }
        let peers = [Peer.nginx, .switchback].filter(Peer.all(programs).contains)
        let servers = try peers.map { try RunningServer($0, programs, cores: "0", isTLS: true) }
        defer { for server in servers { server.stop() } }
        var costs = [[Samples]](repeating: [Samples](repeating: Samples(), count: 2), count: 2)
        for round in 0...self.rounds {
            for (index, server) in servers.enumerated() {
                for (kind, resumes) in [false, true].enumerated() {
                    let cpu = server.cpuSeconds
                    try self.run(self.count, at: server.port, resumes: resumes)
                    // The first round warms up.
                    if round > 0 { costs[index][kind].add((server.cpuSeconds - cpu) * 1e6 / Double(self.count)) }
                }
            }
        }
        Output.line("| connection with TLS 1.3, one request | full, CPU µs | resumed, CPU µs |\n|---|--:|--:|")
        for (server, costs) in zip(servers, costs) {
            Output.line("| \(server.peer.rawValue) | \(costs[0].range(0)) | \(costs[1].range(0)) |")
        }
        guard servers.count == 2 else { return }
        let ratios = (0..<2).map { Samples.text(costs[0][$0].median / costs[1][$0].median, 2) }
        Output.line("| handshakes per CPU second, vs. nginx | \(ratios[0]) | \(ratios[1]) |")
    }

    private static func run(_ count: Int, at port: UInt16, resumes: Bool) throws {
        let failures = Mutex<[any Error]>([])
        DispatchQueue.concurrentPerform(iterations: self.clients) { _ in
            do {
                try self.shakeHands(count / self.clients, at: port, resumes: resumes)
            } catch {
                failures.withLock { $0.append(error) }
            }
        }
        if let first = failures.withLock({ $0.first }) { throw first }
    }

    /// Connects, shakes hands, sends one request and closes, one after the other.
    private static func shakeHands(_ count: Int, at port: UInt16, resumes: Bool) throws {
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw Wires.Failure(description: "SSL_CTX_new") }
        defer { SSL_CTX_free(context) }
        var session: OpaquePointer?
        defer { SSL_SESSION_free(session) }
        let request = Peer.nginx.request("GET /v1/providers", ["Connection: close"])
        for number in 0..<count {
            let wires = Wires(port: port)
            // It closes its connections when it is released.
            defer { withExtendedLifetime(wires) {} }
            let descriptor = try wires.connect()
            guard let connection = SSL_new(context) else { throw Wires.Failure(description: "SSL_new") }
            defer { SSL_free(connection) }
            SSL_set_fd(connection, descriptor)
            if let session { SSL_set_session(connection, session) }
            guard SSL_connect(connection) == 1, SSL_write(connection, request, Int32(request.count)) > 0 else {
                throw Wires.Failure(description: "no TLS connection")
            }
            var answer = [UInt8](repeating: 0, count: 16 * 1024)
            // The tickets come before the response.
            guard SSL_read(connection, &answer, Int32(answer.count)) > 0 else {
                throw Wires.Failure(description: "no response")
            }
            guard SSL_session_reused(connection) == (resumes && number > 0 ? 1 : 0) else {
                throw Wires.Failure(description: "a session was resumed unexpectedly, or not resumed")
            }
            if resumes, session == nil { session = SSL_get1_session(connection) }
            SSL_shutdown(connection)
        }
    }
}
