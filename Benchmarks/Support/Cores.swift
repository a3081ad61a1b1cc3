import Glibc

/// Which of the machine's two cores this process uses. The short form may run on one core and uses what there is.
package enum Cores {
    /// Leaves the first core to the servers.
    package static func takeSecond() throws {
        guard !Extent.isShort else { return }
        _ = try Command.output("taskset -acp 1 \(getpid())")
    }

    package static func takeBoth() {
        guard !Extent.isShort else { return }
        _ = try? Command.output("taskset -acp 0,1 \(getpid())")
    }
}
