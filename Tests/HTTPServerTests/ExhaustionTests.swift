import Dispatch
import EventLoop
import Glibc
import HTTPServer
import HTTPWire
import TestSupport
import Testing

/// A process without free descriptors: it pauses, and serves again when there are some.
@Suite(.blocking) struct ExhaustionTests {
    /// Runs in its own process, because the limit applies to the whole process.
    @Test func `accepting pauses and goes on`() async {
        await #expect(processExitsWith: .success) {
            endProcess(afterMinutes: 10)
            let loop = try EventLoop(name: "test")
            let book = Book()
            let server = HTTPServer(
                listen: try #require(ListenAddress("127.0.0.1:0")), loops: [loop], handler: TestHandler(),
                observer: book)
            let port = try server.start().port
            // The loop waits until the clients are connected and only four descriptors are left for their other ends.
            let gate = DispatchSemaphore(value: 0)
            await withCheckedContinuation { waits in
                loop.execute {
                    waits.resume()
                    gate.wait()
                }
            }
            var clients = try (0..<8).map { _ in try RawClient(port: port) }
            // Dispatch opens the descriptor of its timer for the first one that waits, and ends the process without it.
            try await Task.sleep(for: .milliseconds(1))
            // The process may have inherited any descriptors. We leave some room above them, and then use it up.
            let lowest = dup(0)
            close(lowest)
            let room = rlim_t(lowest) + 64
            var limit = rlimit(rlim_cur: room, rlim_max: room)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var taken: [Int32] = []
            while let descriptor = Optional(dup(0)), descriptor >= 0 { taken.append(descriptor) }
            for descriptor in taken.suffix(4) { close(descriptor) }
            gate.signal()
            try #require(await book.waits { $0.count("paused") > 0 })
            let early = await clients[0].ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(early?.text == "hello")
            clients.removeFirst(4)
            for client in clients {
                #expect(await client.ask("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "hello")
            }
            // It is reported once, however often we try.
            #expect(book.count("paused") == 1)
            await server.close()
            exit(EXIT_SUCCESS)
        }
    }
}
