// One loop per core.

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension EventLoop {
    package static func makeLoops(
        count: Int = EventLoop.cores, polling: Polling = .standard
    ) throws(Failure) -> [EventLoop] {
        var loops: [EventLoop] = []
        for number in 0..<max(count, 1) {
            do throws(Failure) {
                loops.append(try EventLoop(name: "loop-\(number)", polling: polling))
            } catch {
                for loop in loops { loop.close() }
                throw error
            }
        }
        return loops
    }

    /// Processors that are online.
    package static var cores: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }
}
