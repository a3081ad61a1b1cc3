/// A program started for a test, silent or heard by a file, in a folder of its choice.
import Glibc

/// Not Foundation's `Process`, whose children inherit the blocked signals of a Dispatch thread: SIGTERM does not end them.
package struct ChildProcess: Sendable {
    package let id: pid_t

    package init(tool: String, _ arguments: [String], in folder: String, output: String? = nil) throws {
        guard let path = MissingTool.path(tool) else { throw MissingTool(description: "\(tool) is not installed") }
        try self.init(path: path, arguments, in: folder, output: output)
    }

    /// What it says is added to the file `output`, or lost.
    package init(path: String, _ arguments: [String], in folder: String, output: String? = nil) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in 0...2 as ClosedRange<Int32> {
            let file = descriptor == 0 ? nil : output
            posix_spawn_file_actions_addopen(
                &actions, descriptor, file ?? "/dev/null", O_RDWR | O_CREAT | O_APPEND, 0o600)
        }
        // Not the pipes of others: who reads one to its end would wait for this program to end. (closefrom is hidden from
        // Swift; closing what is not open is no error to posix_spawn.)
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
        // env changes the folder and becomes the program, so that it is one process all the time.
        let words = ["env"] + TestTier.switches.flatMap { ["-u", $0] } + ["-C", folder, path] + arguments
        var copies = words.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        var id: pid_t = 0
        guard posix_spawn(&id, "/usr/bin/env", &actions, &attributes, &copies, environ) == 0 else {
            throw MissingTool(description: "\(path) does not start")
        }
        self.id = id
    }

    /// True when it ended with status 0. Blocks until it ends.
    package func end() -> Bool { self.status() == 0 }

    /// The status that it exited with; nil when a signal ended it. Blocks until it ends.
    package func status() -> Int? {
        var status: Int32 = 0
        while waitpid(self.id, &status, 0) < 0, errno == EINTR {}
        // wait(2): the low seven bits name a signal, the next byte is the status.
        return status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : nil
    }

    /// False once it has ended, which may be asked many times but not after `end`.
    package var isRunning: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(self.id), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo == 0
    }

    /// By force: nginx sets a mark on SIGTERM and looks at it when something happens, and then nothing may happen any more.
    package func terminate() { kill(self.id, SIGKILL) }

    /// SIGTERM, say, which it may take its time for.
    package func send(_ signal: Int32) { kill(self.id, signal) }
}
