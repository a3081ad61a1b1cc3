import Foundation

/// What proc_pid_stat(5) says of a process.
package struct ProcessStat {
    package let parent: pid_t
    /// The user and system time, in steps of 10 ms.
    package let cpuSeconds: Double

    /// Returns nil if there is no such process.
    package init?(_ id: pid_t) {
        guard let line = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8) else { return nil }
        // The second field is the name in brackets, which may contain spaces.
        let fields = line[(line.lastIndex(of: ")") ?? line.startIndex)...].split(separator: " ")
        guard fields.count > 13, let parent = pid_t(fields[2]), let user = Double(fields[12]),
            let system = Double(fields[13])
        else { return nil }
        self.parent = parent
        self.cpuSeconds = (user + system) / 100
    }

    /// Returns the CPU seconds of a process and of its children.
    package static func cpuSeconds(ofFamily parent: pid_t) throws -> Double {
        let ids = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
        return ids.reduce(0) { sum, id in
            guard let stat = ProcessStat(id), id == parent || stat.parent == parent else { return sum }
            return sum + stat.cpuSeconds
        }
    }
}
