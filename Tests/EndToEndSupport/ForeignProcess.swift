import Foundation
import Glibc
import TestSupport

/// A program that runs for a suite: we read its first line, and its standard error goes to a file.
///
/// This is not Foundation's `Process`: its children inherit the blocked signals of a Dispatch thread, so SIGTERM does
/// not end them.
package final class ForeignProcess: Sendable {
    private let process: ChildProcess
    private let output: Int32
    /// The writing end of the program's standard input. It closes however we end, and then the program ends too.
    private let lifeline: Int32

    package init(_ path: String, _ arguments: [String], errors: String) throws {
        let (input, lifeline) = try Self.pipe()
        let (output, said) = try Self.pipe()
        defer {
            close(input)
            close(said)
        }
        (self.output, self.lifeline) = (output, lifeline)
        self.process = ChildProcess(
            id: try Self.spawn([path] + arguments, input: input, output: said, errors: errors))
    }

    deinit {
        close(self.output)
        close(self.lifeline)
    }

    /// Reads the first line, on a thread that no other test needs.
    package func line(within limit: Duration = Patience.limit) async throws -> String {
        try await Self.onAThread { try self.readLine(until: .now + limit) }
    }

    /// Sends SIGTERM, and SIGKILL if the program still runs after five seconds. Call this once.
    package func end() async throws {
        try await Self.onAThread {
            self.process.send(SIGTERM)
            let patience = ContinuousClock.now + .seconds(5)
            while self.process.isRunning {
                if patience < .now { self.process.terminate() }
                usleep(5000)
            }
        }
    }

    private func readLine(until deadline: ContinuousClock.Instant) throws -> String {
        var line: [UInt8] = []
        while ContinuousClock.now < deadline {
            var watched = pollfd(fd: self.output, events: Int16(POLLIN), revents: 0)
            guard poll(&watched, 1, 100) > 0 else { continue }
            var byte: UInt8 = 0
            guard read(self.output, &byte, 1) == 1 else { throw TestClient.Failure(description: "it ended at once") }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        throw TestClient.Failure(description: "it says nothing")
    }

    private static func onAThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws
        -> Result
    {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try work() }) }
        }
    }

    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw TestClient.Failure(description: "pipe: \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func spawn(_ words: [String], input: Int32, output: Int32, errors: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        // Otherwise the child would keep the sockets of other tests open.
        for descriptor in 3..<Int32(min(4096, sysconf(Int32(_SC_OPEN_MAX)))) {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var copies = words.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        var id: pid_t = 0
        guard posix_spawn(&id, words[0], &actions, &attributes, &copies, environ) == 0 else {
            throw TestClient.Failure(description: "\(words[0]) does not start")
        }
        return id
    }
}
