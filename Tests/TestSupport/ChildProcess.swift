import Dispatch
import Glibc
import Synchronization

/// A program started for a test in a given folder, with its output discarded or in a file.
///
/// Foundation's `Process` is not used: its children inherit the blocked signals of a Dispatch thread, so SIGTERM does
/// not end them.
///
/// A thread waits for its end from the beginning, whatever becomes of the test. Swift Testing looks for the end of any
/// child (`waitid(P_ALL)`), so one that nobody waits for would be all that the tests with `processExitsWith` ever see.
package final class ChildProcess: Sendable {
    package let id: pid_t
    /// The status that `waitpid` gave, or nil while the program runs.
    private let outcome = Mutex<Int32?>(nil)
    private let hasEnded = DispatchGroup()

    package convenience init(tool: String, _ arguments: [String], in folder: String, output: String? = nil) throws {
        guard let path = MissingTool.path(tool) else { throw MissingTool(description: "\(tool) is not installed") }
        try self.init(path: path, arguments, in: folder, output: output)
    }

    /// Appends the program's output to the file `output`, or discards it.
    package convenience init(path: String, _ arguments: [String], in folder: String, output: String? = nil) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in 0...2 as ClosedRange<Int32> {
            let file = descriptor == 0 ? nil : output
            posix_spawn_file_actions_addopen(
                &actions, descriptor, file ?? "/dev/null", O_RDWR | O_CREAT | O_APPEND, 0o600)
        }
        // Other tests' pipes are closed in the child: a test that reads one to its end would also wait for this
        // program. (Swift does not import closefrom, and posix_spawn ignores descriptors that are not open.)
        for descriptor in 3..<1024 as Range<Int32> { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        // env changes the folder and then becomes the program, so it is one process throughout.
        let words = ["env"] + TestTier.switches.flatMap { ["-u", $0] } + ["-C", folder, path] + arguments
        var copies = words.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        var id: pid_t = 0
        guard posix_spawn(&id, "/usr/bin/env", &actions, &attributes, &copies, environ) == 0 else {
            throw MissingTool(description: "\(path) does not start")
        }
        self.init(id: id)
    }

    /// `id` is a program that this process has started.
    package init(id: pid_t) {
        self.id = id
        self.hasEnded.enter()
        runThread { self.waitForEnd() }
    }

    /// Blocks until the program ends. Returns true for status 0.
    package func end() -> Bool { self.status() == 0 }

    /// Blocks until the program ends. Returns its exit status, or nil when a signal ended it. A program that has not
    /// ended in ten minutes is ended, so that the test fails and does not hang.
    package func status() -> Int? {
        if self.hasEnded.wait(timeout: .now() + .seconds(600)) == .timedOut {
            self.terminate()
            return nil
        }
        // wait(2): the low seven bits name a signal, the next byte is the status.
        return self.outcome.withLock { $0 }.flatMap { $0 & 0x7F == 0 ? Int($0 >> 8 & 0xFF) : nil }
    }

    package var isRunning: Bool { self.outcome.withLock { $0 } == nil }

    /// Ends the program with SIGKILL. nginx on SIGTERM only sets a flag, which it checks at the next event, and none
    /// may come.
    package func terminate() { self.send(SIGKILL) }

    /// Sends a signal such as SIGTERM, and does not wait. Does nothing after the program has ended.
    package func send(_ signal: Int32) {
        self.outcome.withLock { outcome in
            if outcome == nil { kill(self.id, signal) }
        }
    }

    private func waitForEnd() {
        // It keeps its number until the lock is held, so that `send` reaches no other program.
        var info = siginfo_t()
        while waitid(P_PID, id_t(self.id), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        self.outcome.withLock { outcome in
            var status: Int32 = 0
            var ended: pid_t = -1
            repeat { ended = waitpid(self.id, &status, 0) } while ended < 0 && errno == EINTR
            // A program that somebody else has waited for has no status that we know: no success.
            outcome = ended == self.id ? status : SIGKILL
        }
        self.hasEnded.leave()
    }
}
