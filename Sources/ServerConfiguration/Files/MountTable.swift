import Base

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Reads /proc/self/mountinfo (proc_pid_mountinfo(5)): what is mounted where, and whether this is a container.
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

        /// Container engines name such volumes with 64 hex digits: `/var/lib/docker/volumes/3f…/_data`.
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

    /// `text` is the content of the file.
    package init(_ text: String) {
        self.mounts = text.split(separator: "\n").compactMap(Mount.init)
    }

    /// The mounts of this process. Nil if the system has no such file.
    package static var system: MountTable? {
        (try? SystemFile.contents(of: "/proc/self/mountinfo")).map { MountTable(String(decoding: $0, as: UTF8.self)) }
    }

    /// Returns the mount of a path that has no links.
    package func mount(of path: String) -> Mount? {
        // Later mounts hide earlier ones, so the last of the deepest ones counts.
        let covering = self.mounts.filter { $0.covers(path) }
        guard let depth = covering.map(\.point.utf8.count).max() else { return nil }
        return covering.last { $0.point.utf8.count == depth }
    }

    package static var isContainer: Bool {
        let marks: [String] = ["/.dockerenv", "/run/.containerenv"]
        // Podman, LXC and systemd-nspawn set `container` (systemd's container interface).
        let variables: [String] = ["KUBERNETES_SERVICE_HOST", "container"]
        return marks.contains { access($0, F_OK) == 0 } || variables.contains { getenv($0) != nil }
    }

    /// Returns whether the file came into this container from outside: it is in a file system of its own, or is itself
    /// a mount point, as a file secret of Compose is.
    static func isMounted(_ path: String) -> Bool {
        guard let file = Self.resolved(path) else { return false }
        return Self.system?.isMounted(file) ?? false
    }

    /// The same for a path that has no links.
    func isMounted(_ file: String) -> Bool { self.mount(of: file).map { $0.point != "/" } ?? false }

    /// Returns the path without links; nil if there is no file.
    package static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
