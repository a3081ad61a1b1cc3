import ServerConfiguration
import Stores

/// What the store's folder is on: whether its files outlive the container and a restart of the machine.
package enum StoreLocation {
    package enum Concern: String, CustomStringConvertible, Sendable {
        case containerLayer = "the folder is part of the container and is lost with it: mount a volume there"
        case anonymousVolume = "the folder is a volume without a name, and the next container gets another one: name it"
        case memory = "the folder is in memory, and is empty after the next start"

        package var description: String { self.rawValue }
    }

    /// Returns nil when there is no concern, or when the system does not tell.
    package static func concern(ofFile path: String) -> Concern? {
        let target = SQLiteFiles.target(of: path) ?? path
        guard let folder = MountTable.resolved(SQLiteFiles.folder(of: target)), let mounts = MountTable.system else {
            return nil
        }
        return Self.concern(folder: folder, mounts: mounts, isContainer: MountTable.isContainer)
    }

    /// Returns the type of the file system if it has no files of ours; nil otherwise.
    static func kernelType(ofFile path: String) -> String? {
        guard let folder = MountTable.resolved(SQLiteFiles.folder(of: path)),
            let type = MountTable.system?.mount(of: folder)?.type
        else { return nil }
        return ["proc", "sysfs", "cgroup", "cgroup2", "devpts", "debugfs", "tracefs"].contains(type) ? type : nil
    }

    /// `folder` contains no symbolic links.
    static func concern(folder: String, mounts: MountTable, isContainer: Bool) -> Concern? {
        guard let mount = mounts.mount(of: folder) else { return nil }
        if mount.isInMemory { return .memory }
        if mount.isAnonymousVolume { return .anonymousVolume }
        let isLayer = mount.point == "/" && (isContainer || mount.type == "overlay")
        return isLayer ? .containerLayer : nil
    }
}
