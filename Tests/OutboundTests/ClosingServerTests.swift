import Outbound
import Synchronization
import TestSupport
import Testing

/// A server that closes kept connections at random: nothing that may happen once is sent twice, and nothing is lost.
@Suite(.blocking, .timeLimit(.minutes(15))) struct ClosingServerTests {
    private static let count = TestTier.isSoak ? TestTier.soakCount(20_000) : 600
    private static let workers = 24

    /// How often the server saw each code, and how long it keeps a connection open that is idle.
    private final class ClosingServer: Sendable {
        private let seen = Mutex<[String: Int]>([:])
        private let random: Mutex<SplitMix64>
        private let failures = Mutex<[String: Int]>([:])

        init(seed: UInt64) { self.random = Mutex(SplitMix64(seed: seed)) }

        func serve(_ connection: FaultConnection) {
            var patience: Int32 = 60_000
            while connection.isReadable(within: patience), let request = connection.readRequest() {
                patience = self.patience()
                if let code = request.split(separator: "code=").dropFirst().last {
                    self.seen.withLock { $0[String(code), default: 0] += 1 }
                }
                guard connection.write(ConnectionTests.ok) else { return }
            }
        }

        /// Milliseconds. Half of the connections end at about the time at which the next request comes.
        private func patience() -> Int32 { Int32(self.random.withLock { Int.random(in: 0...20, using: &$0) }) }

        func note(_ failure: OutboundError) { self.failures.withLock { $0[failure.name, default: 0] += 1 } }

        var lost: [String: Int] { self.failures.withLock { $0 } }
        var codes: Int { self.seen.withLock { $0.count } }
        var most: Int { self.seen.withLock { $0.values.max() ?? 0 } }
        var twice: Int { self.seen.withLock { $0.values.count { $0 > 1 } } }
    }

    @Test func `no code is sent twice and none is lost`() async throws {
        let closing = ClosingServer(seed: TestTier.seed)
        let server = try FaultServer { closing.serve($0) }
        defer { server.stop() }
        try await withClient(change: { $0.maxConnections = Self.workers }) { client in
            await withTaskGroup { group in
                for worker in 0..<Self.workers {
                    group.addTask {
                        var random = SplitMix64(seed: TestTier.seed &+ UInt64(worker))
                        for number in stride(from: worker, to: Self.count, by: Self.workers) {
                            let body = Array("code=\(number)".utf8)
                            do throws(OutboundError) {
                                _ = try await client.send(
                                    OutboundRequest(method: .post, url: server.url + "token", body: body))
                            } catch {
                                closing.note(error)
                            }
                            // It leaves a connection for the next code.
                            _ = try? await client.send(OutboundRequest(url: server.url + "userinfo"))
                            try? await Task.sleep(for: .milliseconds(Int.random(in: 0...20, using: &random)))
                        }
                    }
                }
            }
        }
        print(
            "seed \(TestTier.seed): \(Self.count) codes, \(closing.twice) sent twice, lost: \(closing.lost), "
                + "\(server.accepted) connections")
        #expect(closing.most == 1)
        #expect(closing.lost == [:])
        #expect(closing.codes == Self.count)
    }
}
