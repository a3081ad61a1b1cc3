import Base

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What Linux knows about this process: memory, processor time, descriptors. Elsewhere only what POSIX offers.
enum ProcessMetrics {
    static func register(in registry: MetricsRegistry) {
        registry.observe(Metric.processCPU) { Self.processorSeconds() }
        registry.observe(Metric.processMaximumDescriptors) { Self.descriptorLimit() }
        registry.observe(Metric.processOpenDescriptors) { Self.openDescriptors() }
        registry.observe(Metric.processResidentMemory) { Self.pages(1) }
        registry.observe(Metric.processVirtualMemory) { Self.pages(0) }
        let start = Self.startTime()
        registry.observe(Metric.processStart) { start }
    }

    private static func processorSeconds() -> Double? {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec / 1_000_000) / 1000
    }

    private static func descriptorLimit() -> Double? {
        var limit = rlimit()
        #if canImport(Glibc)
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        #else
        guard getrlimit(RLIMIT_NOFILE, &limit) == 0 else { return nil }
        #endif
        return Double(limit.rlim_cur)
    }

    /// Counts the names in /proc/self/fd, without `.`, `..` and the descriptor that reads them.
    private static func openDescriptors() -> Double? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return Double(max(0, count - 3))
    }

    /// Reads a field of /proc/self/statm, which counts pages. Returns bytes.
    private static func pages(_ field: Int) -> Double? {
        guard let bytes = try? SystemFile.contents(of: "/proc/self/statm") else { return nil }
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard fields.indices.contains(field), let count = Double(fields[field]) else { return nil }
        return count * Double(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Reads the 22nd field of /proc/self/stat, in ticks since boot. The second, a name, may contain blanks and
    /// parentheses.
    private static func startTime() -> Double? {
        guard let stat = try? SystemFile.contents(of: "/proc/self/stat"),
            let boot = try? SystemFile.contents(of: "/proc/stat")
        else { return nil }
        let text = String(decoding: stat, as: UTF8.self)
        guard let name = text.lastIndex(of: ")") else { return nil }
        let fields = text[name...].split(separator: " ")
        let bootLine = String(decoding: boot, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("btime ") }
        guard fields.count > 20, let ticks = Double(fields[20]), let seconds = bootLine?.split(separator: " ").last,
            let bootTime = Double(seconds)
        else { return nil }
        return bootTime + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
