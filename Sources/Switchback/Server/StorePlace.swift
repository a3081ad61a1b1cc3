/// What the folder of the store lies on: whether what is written there outlives the container, and the machine's start.
import Base
import Stores

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

enum StorePlace {
    enum Concern: String, CustomStringConvertible {
        case containerLayer = "the folder is part of the container and goes with it: mount a volume there"
        case anonymousVolume = "the folder is a volume without a name, and the next container gets another: name it"
        case memory = "the folder lies in memory, and is empty after the next start"

        var description: String { self.rawValue }
    }

    /// Nil where there is nothing to worry about, and where the system does not tell.
    static func concern(ofFile path: String) -> Concern? {
        let target = SQLiteFiles.target(of: path) ?? path
        guard let folder = Self.resolved(SQLiteFiles.folder(of: target)), let mounts = Self.mounts else { return nil }
        return Self.concern(folder: folder, mounts: mounts, isContainer: Self.isContainer)
    }

    static var isContainer: Bool {
        let marks: [String] = ["/.dockerenv", "/run/.containerenv"]
        return marks.contains { access($0, F_OK) == 0 } || getenv("KUBERNETES_SERVICE_HOST") != nil
    }

    /// Whether the file is in a file system without a disk.
    static func isInMemory(_ path: String) -> Bool {
        guard let file = Self.resolved(path), let mounts = Self.mounts else { return false }
        return Self.concern(folder: file, mounts: mounts, isContainer: false) == .memory
    }

    /// Without links. Nil where there is nothing.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static var mounts: String? {
        (try? SystemFile.contents(of: "/proc/self/mountinfo")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// `mounts` is what /proc/self/mountinfo says (proc_pid_mountinfo(5)), `folder` has no links in it.
    static func concern(folder: String, mounts: String, isContainer: Bool) -> Concern? {
        let mounts = mounts.split(separator: "\n").compactMap(Mount.init)
        // The last one that covers it: later mounts hide earlier ones.
        let covering = mounts.filter { $0.covers(folder) }
        guard let depth = covering.map(\.point.utf8.count).max(),
            let mount = covering.last(where: { $0.point.utf8.count == depth })
        else { return nil }
        if ["tmpfs", "ramfs"].contains(mount.type) { return .memory }
        if mount.isAnonymousVolume { return .anonymousVolume }
        let isLayer = mount.point == "/" && (isContainer || mount.type == "overlay")
        return isLayer ? .containerLayer : nil
    }

    private struct Mount {
        /// The folder of the file system that is mounted.
        let root: Substring
        let point: String
        let type: Substring

        init?(_ line: Substring) {
            let fields = line.split(separator: " ")
            // Between the options and the dash there may be any number of other fields.
            guard fields.count > 6, let dash = fields[6...].firstIndex(of: "-"), dash + 1 < fields.endIndex else {
                return nil
            }
            self.root = fields[3]
            self.point = Self.unescaped(fields[4])
            self.type = fields[dash + 1]
        }

        func covers(_ folder: String) -> Bool {
            self.point == "/" || folder == self.point || folder.hasPrefix(self.point + "/")
        }

        /// Engines name them by 64 hex digits: `/var/lib/docker/volumes/3f…/_data`.
        var isAnonymousVolume: Bool {
            self.root.contains(/\/volumes\/[0-9a-f]{64}(\/|$)/)
        }

        private static func unescaped(_ text: Substring) -> String {
            [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")].reduce(String(text)) {
                $0.replacing($1.0, with: $1.1)
            }
        }
    }
}
