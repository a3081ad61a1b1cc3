import Synchronization
import TestSupport
import Testing

@testable import Outbound

@Suite(.blocking) struct FairQueueTests {
    /// Adds one element for each letter of the text; the letter is its caller. Returns the order in which they are
    /// served.
    private static func served(_ added: String, limit: Int = 100) -> String {
        var queue = FairQueue<Character>(limit: limit)
        for letter in added { _ = queue.add(letter, of: [letter.asciiValue ?? 0]) }
        var order = ""
        while let next = queue.next() { order.append(next) }
        return order
    }

    @Test(arguments: [
        ("", ""), ("a", "a"), ("aaa", "aaa"), ("aaab", "abaa"), ("aaabbc", "abcaba"), ("abcabc", "abcabc"),
    ])
    func `each caller has its turn`(_ added: String, _ order: String) { #expect(Self.served(added) == order) }

    /// A caller with many elements never keeps out a caller with few.
    @Test(arguments: [
        ("aaaa", 3, "aaa"), ("aaab", 3, "aba"), ("aaabb", 3, "aba"), ("aaabc", 3, "abc"), ("abcd", 3, "abc"),
        ("aaaabb", 4, "abab"),
    ])
    func `the longest line makes room`(_ added: String, _ limit: Int, _ order: String) {
        #expect(Self.served(added, limit: limit) == order)
    }

    @Test func `whoever is removed has no turn`() {
        var queue = FairQueue<Int>(limit: 10)
        for number in 1...3 { _ = queue.add(number, of: [UInt8(number % 2)]) }
        let removals = [queue.remove(of: [0]) { $0 == 2 }, queue.remove(of: [0]) { $0 == 2 }]
        #expect(removals == [true, false])
        #expect(queue.count == 2)
        let served = [queue.next(), queue.next(), queue.next()]
        #expect(served == [1, 3, nil])
    }
}

/// Which request waits, for how long, and which one makes room.
@Suite(.blocking) struct QueueTests {
    /// A server that responds to one request at a time, when told to, and records their order.
    final class Turnstile: Sendable {
        let seen = Mutex<[String]>([])
        private let gate = Mutex(0)
        private let server = Mutex<FaultServer?>(nil)

        init() throws {
            let server = try FaultServer { [self] connection in
                while let request = connection.readRequest() {
                    let path = request.split(separator: " ").dropFirst().first ?? ""
                    self.seen.withLock { $0.append(String(path.dropFirst())) }
                    while !self.pass() { connection.pause(milliseconds: 1) }
                    guard connection.write(ConnectionTests.ok) else { return }
                }
            }
            self.server.withLock { $0 = server }
        }

        var url: String { self.server.withLock { $0?.url ?? "" } }

        func open(for count: Int = 1) { self.gate.withLock { $0 += count } }

        func stop() { self.server.withLock { $0?.stop() } }

        func hasSeen(_ count: Int) async -> Bool {
            for _ in 0..<2000 {
                if self.seen.withLock({ $0.count }) >= count { return true }
                try? await Task.sleep(for: .milliseconds(5))
            }
            return false
        }

        private func pass() -> Bool {
            self.gate.withLock { gate in
                guard gate > 0 else { return false }
                gate -= 1
                return true
            }
        }
    }

    private static func request(_ turnstile: Turnstile, _ name: String, of caller: UInt8) -> OutboundRequest {
        var request = OutboundRequest(url: turnstile.url + name, deadline: .seconds(30))
        request.caller = [caller]
        return request
    }

    @Test func `a caller with many requests delays only itself`() async throws {
        let turnstile = try Turnstile()
        defer { turnstile.stop() }
        try await withClient(change: { $0.maxConnections = 1 }) { client in
            try await withThrowingTaskGroup { group in
                let all: [(String, UInt8)] = [("a1", 1), ("a2", 1), ("a3", 1), ("b1", 2)]
                for (name, caller) in all {
                    // Each request waits before the next one is sent.
                    let added = Mailbox<Bool>()
                    group.addTask {
                        added.put(true)
                        return try await client.send(Self.request(turnstile, name, of: caller)).text
                    }
                    _ = await added.next()
                    try await Task.sleep(for: .milliseconds(20))
                }
                #expect(await turnstile.hasSeen(1))
                turnstile.open(for: 4)
                for try await text in group { #expect(text == "ok") }
            }
        }
        let order = turnstile.seen.withLock { $0 }
        #expect(Set(order) == ["a1", "a2", "a3", "b1"])
        #expect(order.last?.hasPrefix("a") == true, "\(order)")
    }

    /// A request above the bound fails at once, and the others are served.
    @Test func `the queue is bounded`() async throws {
        let turnstile = try Turnstile()
        defer { turnstile.stop() }
        let change: (inout OutboundSettings) -> Void = {
            $0.maxConnections = 1
            $0.maxWaiting = 3
        }
        try await withClient(change: change) { client in
            let outcomes = await withTaskGroup(of: Result<OutboundResponse, OutboundError>.self) { group in
                for number in 0..<10 {
                    group.addTask {
                        do throws(OutboundError) {
                            return .success(try await client.send(Self.request(turnstile, "\(number)", of: 1)))
                        } catch { return .failure(error) }
                    }
                }
                var outcomes: [Result<OutboundResponse, OutboundError>] = []
                for await outcome in group {
                    outcomes.append(outcome)
                    // All requests above the bound have failed before the first response.
                    if outcomes.count == 6 { turnstile.open(for: 4) }
                }
                return outcomes
            }
            #expect(outcomes.prefix(6).allSatisfy { $0.error == .busy })
            #expect(outcomes.count { $0.error == nil } == 4)
        }
    }

    @Test func `nobody waits for ever`() async throws {
        let turnstile = try Turnstile()
        defer { turnstile.stop() }
        let change: (inout OutboundSettings) -> Void = {
            $0.maxConnections = 1
            $0.queueTimeout = .milliseconds(300)
        }
        try await withClient(change: change) { client in
            let first = Task { try await client.send(Self.request(turnstile, "first", of: 1)) }
            #expect(await turnstile.hasSeen(1))
            await #expect(throws: OutboundError.busy) {
                try await client.send(Self.request(turnstile, "second", of: 1))
            }
            turnstile.open()
            let answer = try await first.value
            #expect(answer.text == "ok")
        }
        #expect(turnstile.seen.withLock { $0 } == ["first"])
    }

    /// A request may say how long it waits. It is not sent when that is over.
    @Test func `a request may say how long it waits`() async throws {
        let turnstile = try Turnstile()
        defer { turnstile.stop() }
        let change: (inout OutboundSettings) -> Void = {
            $0.maxConnections = 1
            $0.queueTimeout = .milliseconds(50)
        }
        try await withClient(change: change) { client in
            let first = Task { try await client.send(Self.request(turnstile, "first", of: 1)) }
            #expect(await turnstile.hasSeen(1))
            let waits = Mailbox<Bool>()
            var patient = Self.request(turnstile, "patient", of: 1)
            patient.longestWait = .seconds(60)
            patient.onWait = { waits.put(true) }
            let second = Task { [patient] in try await client.send(patient) }
            #expect(await waits.next() == true)
            // The usual time of the queue passes meanwhile.
            await #expect(throws: OutboundError.busy) {
                try await client.send(Self.request(turnstile, "third", of: 1))
            }
            var hasty = Self.request(turnstile, "hasty", of: 1)
            hasty.longestWait = .zero
            let impatient = hasty
            await #expect(throws: OutboundError.busy) { try await client.send(impatient) }
            turnstile.open(for: 2)
            let answers = [try await first.value.text, try await second.value.text]
            #expect(answers == ["ok", "ok"])
        }
        #expect(turnstile.seen.withLock { $0 } == ["first", "patient"])
    }

    /// Its caller writes that it is sent, and may forbid it. A connection stays reserved for it meanwhile.
    @Test(arguments: [true, false]) func `a request asks for permission before it is sent`(_ isPermitted: Bool)
        async throws
    {
        let turnstile = try Turnstile()
        defer { turnstile.stop() }
        try await withClient(change: { $0.maxConnections = 1 }) { client in
            let (asked, answer) = (Mailbox<Bool>(), Mailbox<Bool>())
            var careful = Self.request(turnstile, "careful", of: 1)
            careful.maySend = {
                asked.put(true)
                return await answer.next() ?? false
            }
            let first = Task { [careful] in try await client.send(careful) }
            #expect(await asked.next() == true)
            let waits = Mailbox<Bool>()
            var other = Self.request(turnstile, "other", of: 1)
            other.onWait = { waits.put(true) }
            let second = Task { [other] in try await client.send(other) }
            #expect(await waits.next() == true, "the turn is taken")
            answer.put(isPermitted)
            turnstile.open(for: 2)
            if isPermitted {
                let answer = try await first.value
                #expect(answer.text == "ok")
            } else {
                await #expect(throws: OutboundError.cancelled) { try await first.value }
            }
            let last = try await second.value
            #expect(last.text == "ok")
        }
        #expect(turnstile.seen.withLock { $0 } == (isPermitted ? ["careful", "other"] : ["other"]))
    }

    /// It goes out beside as many others as there may be.
    @Test func `an urgent request does not wait`() async throws {
        let turnstile = try Turnstile()
        defer { turnstile.stop() }
        try await withClient(change: { $0.maxConnections = 1 }) { client in
            let first = Task { try await client.send(Self.request(turnstile, "first", of: 1)) }
            #expect(await turnstile.hasSeen(1))
            var urgent = Self.request(turnstile, "urgent", of: 1)
            urgent.isUrgent = true
            let second = Task { [urgent] in try await client.send(urgent) }
            #expect(await turnstile.hasSeen(2))
            turnstile.open(for: 2)
            let answers = [try await first.value.text, try await second.value.text]
            #expect(answers == ["ok", "ok"])
        }
    }

    /// The deadline is for the server: a request has all of it when its turn comes.
    @Test func `waiting does not count as the server's time`() async throws {
        let turnstile = try Turnstile()
        defer { turnstile.stop() }
        try await withClient(change: { $0.maxConnections = 1 }) { client in
            let first = Task { try await client.send(Self.request(turnstile, "first", of: 1)) }
            #expect(await turnstile.hasSeen(1))
            let begun = Mailbox<ContinuousClock.Instant>()
            var request = Self.request(turnstile, "second", of: 1)
            request.deadline = .milliseconds(1500)
            request.onStart = { begun.put(.now) }
            let start = ContinuousClock.now
            let second = Task { [request] in try await client.send(request) }
            try await Task.sleep(for: .seconds(2))
            #expect(begun.isEmpty)
            turnstile.open(for: 2)
            #expect(try await first.value.text == "ok")
            #expect(try await second.value.text == "ok")
            let begin = try #require(await begun.next())
            #expect(begin - start >= .seconds(2))
        }
    }

    /// A request that is cancelled while it waits takes no turn and is never sent.
    @Test func `a cancelled request is not sent`() async throws {
        let turnstile = try Turnstile()
        defer { turnstile.stop() }
        try await withClient(change: { $0.maxConnections = 1 }) { client in
            let first = Task { try await client.send(Self.request(turnstile, "first", of: 1)) }
            #expect(await turnstile.hasSeen(1))
            let second = Task { try await client.send(Self.request(turnstile, "second", of: 1)) }
            try await Task.sleep(for: .milliseconds(20))
            second.cancel()
            await #expect(throws: OutboundError.cancelled) { try await second.value }
            let third = Task { try await client.send(Self.request(turnstile, "third", of: 1)) }
            turnstile.open(for: 2)
            #expect(try await first.value.text == "ok")
            #expect(try await third.value.text == "ok")
        }
        #expect(turnstile.seen.withLock { $0 } == ["first", "third"])
    }
}
