/// Which of the machine's two cores this process has. In the short form, which may run on one core, it has what there is.
import Glibc
import Support

enum Cores {
    /// The servers have the first one then.
    static func takeSecond() throws {
        guard !Extent.isShort else { return }
        _ = try Command.output("taskset -acp 1 \(getpid())")
    }

    static func takeBoth() {
        guard !Extent.isShort else { return }
        _ = try? Command.output("taskset -acp 0,1 \(getpid())")
    }
}
