import EventLoop
import Outbound
import Synchronization
import TestSupport
import Testing

/// Cancelling the task ends the transfer. Closing the client ends all transfers.
@Suite(.blocking) struct CancellationTests {
    /// A server that never responds, and reports when a client has come and when it has gone.
    struct Silence {
        let server: FaultServer
        let come: AsyncStream<Void>
        let gone: AsyncStream<Void>

        init() throws {
            let (come, comes) = AsyncStream<Void>.makeStream()
            let (gone, goes) = AsyncStream<Void>.makeStream()
            self.come = come
            self.gone = gone
            self.server = try FaultServer { connection in
                guard connection.readRequest() != nil else { return }
                comes.yield()
                connection.waitForEnd()
                goes.yield()
            }
        }
    }

    @Test func `a cancelled task ends its transfer at once`() async throws {
        let silence = try Silence()
        defer { silence.server.stop() }
        try await withClient { client in
            let task = Task { try await client.send(OutboundRequest(url: silence.server.url, deadline: .seconds(60))) }
            for await _ in silence.come { break }
            let start = ContinuousClock.now
            task.cancel()
            await #expect(throws: OutboundError.cancelled) { try await task.value }
            #expect(start.duration(to: .now) < .seconds(50))
            // The server sees it too, so nothing is left running.
            for await _ in silence.gone { break }
        }
    }

    @Test func `a task that is cancelled before does not connect`() async throws {
        let silence = try Silence()
        defer { silence.server.stop() }
        try await withClient { client in
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await client.send(OutboundRequest(url: silence.server.url))
            }
            task.cancel()
            await #expect(throws: OutboundError.cancelled) { try await task.value }
        }
        #expect(silence.server.accepted == 0)
    }

    @Test func `closing a client ends all transfers`() async throws {
        let silence = try Silence()
        defer { silence.server.stop() }
        try await withClient { client in
            try await withThrowingTaskGroup { group in
                for _ in 0..<50 {
                    group.addTask {
                        await #expect(throws: OutboundError.cancelled) {
                            try await client.send(OutboundRequest(url: silence.server.url, deadline: .seconds(60)))
                        }
                    }
                }
                for await _ in silence.come { break }
                await client.close()
                try await group.waitForAll()
            }
            await #expect(throws: OutboundError.cancelled) {
                try await client.send(OutboundRequest(url: silence.server.url))
            }
            await client.close()
        }
    }

    @Test func `many transfers cancelled at random moments leave the others alone`() async throws {
        let server = try ConnectionTests.keepAlive(pause: 2)
        defer { server.stop() }
        try await withClient { client in
            try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        let task = Task {
                            try await client.send(OutboundRequest(url: server.url, deadline: .seconds(60))).text
                        }
                        guard number.isMultiple(of: 3) else { return try await task.value }
                        for _ in 0..<Int.random(in: 0...200) { await Task.yield() }
                        task.cancel()
                        _ = try? await task.value
                        return "ok"
                    }
                }
                for try await text in group { #expect(text == "ok") }
            }
        }
    }
}
