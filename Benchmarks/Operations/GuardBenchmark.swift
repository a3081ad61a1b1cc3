import Base
import Dispatch
import EventLoop
import Foundation
import JOSE
import Synchronization

/// Runs one operation of the server `COUNT` times, in this process and on one loop, for a tool that counts
/// instructions.
///
/// `Benchmarks/guard` calls it as `GuardBenchmark OPERATION COUNT KEY`, in the root of the project and under callgrind.
/// The key is a PEM file with which the provider signs. Only the work between `beginCounting` and `endCounting` counts;
/// callgrind knows these names.
@main enum GuardBenchmark {
    /// How often an operation runs before it counts, so that caches are filled and code is loaded.
    private static let rehearsals = 20

    /// This is not asynchronous, because valgrind cannot handle a main thread that has ended, as it does in an
    /// asynchronous `main`.
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let operation = Operation(rawValue: arguments[1]), let count = Int(arguments[2]),
            count > 0
        else {
            let names = Operation.allCases.map(\.rawValue).joined(separator: "|")
            throw GuardError.usage("GuardBenchmark \(names) COUNT KEY")
        }
        let key = try PrivateKey(pem: Secret(String(contentsOfFile: arguments[3], encoding: .utf8)))
        let loop = try EventLoop(name: "guard")
        let ended = DispatchSemaphore(value: 0)
        let failure = Mutex<(any Error)?>(nil)
        // The handler works on the loop that received the request. The caller works there too, so nothing waits for a
        // thread.
        Task(executorPreference: loop) {
            do {
                try await Self.run(operation, count, on: try GuardServer(providerKey: key, loop: loop))
            } catch {
                failure.withLock { $0 = error }
            }
            ended.signal()
        }
        ended.wait()
        loop.close()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    private static func run(_ operation: Operation, _ count: Int, on server: GuardServer) async throws {
        for _ in 0..<self.rehearsals { try await operation.run(on: try await operation.prepared(on: server)) }
        var logins: [GuardLogin] = []
        for _ in 0..<count { logins.append(try await operation.prepared(on: server)) }
        beginCounting()
        for login in logins { try await operation.run(on: login) }
        endCounting()
    }
}

/// Wrong arguments of the benchmark, or an unexpected response of its server.
enum GuardError: Error, CustomStringConvertible {
    case usage(String)
    case unexpected(String)

    var description: String {
        switch self {
        case .usage(let line): "Usage: \(line)"
        case .unexpected(let answer): "The operation no longer does what it should: \(answer)"
        }
    }
}

private let marks = Atomic(0)

// They do something, so that no optimizer removes them.
@inline(never) func beginCounting() { marks.add(1, ordering: .relaxed) }
@inline(never) func endCounting() { marks.subtract(1, ordering: .relaxed) }
