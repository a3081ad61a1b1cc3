import Base
import Synchronization
import Testing

@testable import Sessions

/// Part 8 of the contract: 10,000 parallel wrong PINs at two servers, and exactly five count.
@Suite struct ParallelPINTests {
    /// Gives each call another time.
    private final class Ticks: Sendable {
        private let time = Atomic<Int64>(Example.start.milliseconds)

        func next() -> Timestamp { Timestamp(milliseconds: self.time.add(1, ordering: .relaxed).newValue) }
    }

    @Test func `exactly five wrong PINs count`() async throws {
        let store = TestStore()
        let servers = [try Bench(store: store), try Bench(store: store)]
        let phone = try Phone()
        let tokens = try await servers[0].begin(phone)
        try await servers[0].setPIN(phone, tokens)
        for server in servers { _ = server.takeSteps() }
        let wrong = Secret([UInt8](repeating: 1, count: 32))
        let ticks = Ticks()

        let verdicts = await withTaskGroup(of: SessionError?.self) { group in
            for number in 0..<10_000 {
                group.addTask {
                    while true {
                        // Each has a nonce of its own, and a newer one if another guess was faster.
                        let proof = phone.proof(at: ticks.next(), pin: wrong)
                        do throws(SessionError) {
                            _ = try await servers[number % 2].renew(phone, tokens, proof: proof)
                            return nil
                        } catch .staleNonce {} catch { return error }
                    }
                }
            }
            return await group.reduce(into: [] as [SessionError?]) { $0.append($1) }
        }

        let wrongs = verdicts.compactMap { verdict -> Int? in
            guard case .wrongPIN(let left)? = verdict else { return nil }
            return left
        }
        #expect(wrongs.sorted() == [1, 2, 3, 4])
        #expect(verdicts.count { $0 == .locked } == 9996)
        let steps = servers.flatMap { $0.takeSteps() }
        #expect(steps.count == 5)
        #expect(steps.count { $0 == .lockedOut } == 1)
    }

    /// Parallel guesses on one nonce count once.
    @Test func `one nonce counts once`() async throws {
        let bench = try Bench()
        let phone = try Phone()
        let tokens = try await bench.begin(phone)
        try await bench.setPIN(phone, tokens)
        let time = bench.clock.now + .milliseconds(1)
        let verdicts = await withTaskGroup(of: SessionError?.self) { group in
            for number in 0..<500 {
                group.addTask {
                    let guess = Secret([UInt8](repeating: UInt8(number % 200), count: 32))
                    let proof = phone.proof(at: time, pin: guess)
                    do throws(SessionError) {
                        _ = try await bench.renew(phone, tokens, proof: proof)
                        return nil
                    } catch { return error }
                }
            }
            return await group.reduce(into: [] as [SessionError?]) { $0.append($1) }
        }
        #expect(verdicts.count { $0 == .wrongPIN(triesLeft: 4) } == 1)
        #expect(verdicts.count { $0 == .staleNonce } == 499)
    }

    @Test func `parallel begins make one session`() async throws {
        let store = TestStore()
        let servers = [try Bench(store: store), try Bench(store: store)]
        let phone = try Phone()
        let tokens = await withTaskGroup(of: Secret?.self) { group in
            for number in 0..<200 {
                group.addTask { try? await servers[number % 2].begin(phone).refreshToken }
            }
            return await group.reduce(into: [] as [Secret?]) { $0.append($1) }
        }
        #expect(store.rows.count == 1)
        let first = try #require(tokens.first ?? nil)
        #expect(tokens.allSatisfy { $0 == first })
        #expect(servers.flatMap { $0.takeSteps() } == [.begun(isNew: true)])
    }
}
