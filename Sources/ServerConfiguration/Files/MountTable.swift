/// What is mounted where, as /proc/self/mountinfo says it (proc_pid_mountinfo(5)), and whether this is a container.
import Base

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

package struct MountTable: Sendable {
    package struct Mount: Sendable {
        /// The folder of the file system that is mounted.
        private let root: String
        package let point: String
        package let type: String

        fileprivate init?(_ line: Substring) {
            let fields = line.split(separator: " ")
            // Between the options and the dash there may be any number of other fields.
            guard fields.count > 6, let dash = fields[6...].firstIndex(of: "-"), dash + 1 < fields.endIndex else {
                return nil
            }
            self.root = String(fields[3])
            self.point = Self.unescaped(fields[4])
            self.type = String(fields[dash + 1])
        }

        fileprivate func covers(_ folder: String) -> Bool {
            self.point == "/" || folder == self.point || folder.hasPrefix(self.point + "/")
        }

        package var isInMemory: Bool { ["tmpfs", "ramfs"].contains(self.type) }

        /// Engines name them by 64 hex digits: `/var/lib/docker/volumes/3f…/_data`.
        package var isAnonymousVolume: Bool {
            self.root.contains(/\/volumes\/[0-9a-f]{64}(\/|$)/)
        }

        private static func unescaped(_ text: Substring) -> String {
            [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")].reduce(String(text)) {
                $0.replacing($1.0, with: $1.1)
            }
        }
    }

    private let mounts: [Mount]

    /// `text` is what the file says.
    package init(_ text: String) {
        self.mounts = text.split(separator: "\n").compactMap(Mount.init)
    }

    /// Of this process. Nil where the system does not tell.
    package static var system: MountTable? {
        (try? SystemFile.contents(of: "/proc/self/mountinfo")).map { MountTable(String(decoding: $0, as: UTF8.self)) }
    }

    /// What a path without links lies on.
    package func mount(of path: String) -> Mount? {
        // The last one that covers it: later mounts hide earlier ones.
        let covering = self.mounts.filter { $0.covers(path) }
        guard let depth = covering.map(\.point.utf8.count).max() else { return nil }
        return covering.last { $0.point.utf8.count == depth }
    }

    package static var isContainer: Bool {
        let marks: [String] = ["/.dockerenv", "/run/.containerenv"]
        return marks.contains { access($0, F_OK) == 0 } || getenv("KUBERNETES_SERVICE_HOST") != nil
    }

    /// Whether the file is in a file system without a disk.
    static func isInMemory(_ path: String) -> Bool {
        guard let file = Self.resolved(path) else { return false }
        return Self.system?.mount(of: file)?.isInMemory ?? false
    }

    /// Without links. Nil where there is nothing.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
