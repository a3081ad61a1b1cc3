// Makes one loop per core.

#if os(Linux)
import CEpoll
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension EventLoop {
    package static func makeLoops(
        count: Int = EventLoop.cores, polling: Polling = .standard,
        clock: @escaping @Sendable () -> Int64 = EventLoop.monotonic
    ) throws(SystemCallError) -> [EventLoop] {
        var loops: [EventLoop] = []
        for number in 0..<max(count, 1) {
            do throws(SystemCallError) {
                loops.append(try EventLoop(name: "loop-\(number)", polling: polling, clock: clock))
            } catch {
                for loop in loops { loop.close() }
                throw error
            }
        }
        return loops
    }

    /// The number of processors that this process may use: those online, or fewer if it is bound to some of them.
    package static var cores: Int {
        let online = max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
        #if os(Linux)
        // One bit for each of 8192 processors, the most that Linux supports.
        var mask = [UInt8](repeating: 0, count: 1024)
        guard switchback_sched_getaffinity(0, UInt(mask.count), &mask) == 0 else { return online }
        let count = mask.reduce(0) { $0 + $1.nonzeroBitCount }
        return max(min(count, online), 1)
        #else
        return online
        #endif
    }
}
