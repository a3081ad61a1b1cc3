import Glibc
import TestSupport
import Testing

/// Programs that tests start.
@Suite(.blocking) struct ChildProcessTests {
    /// A test that fails may never come to `end`. What it leaves must not stop the tests that run in processes of their
    /// own.
    @Test func `a program that nobody waits for leaves no zombie`() async throws {
        let id = try ChildProcess(tool: "true", [], in: "/").id
        #expect(try await eventually { kill(id, 0) == -1 && errno == ESRCH })
        await #expect(processExitsWith: .success) { exit(EXIT_SUCCESS) }
    }

    @Test func `the status of a program can be read again and again`() throws {
        let program = try ChildProcess(tool: "sh", ["-c", "exit 3"], in: "/")
        for _ in 0..<2 { #expect(program.status() == 3) }
        #expect(!program.isRunning)
        // Another program may have the number by now.
        program.terminate()
    }

    @Test func `a program that a signal ended has no status`() throws {
        let program = try ChildProcess(tool: "sleep", ["1000"], in: "/")
        #expect(program.isRunning)
        program.terminate()
        #expect(program.status() == nil)
        #expect(!program.isRunning)
    }
}
