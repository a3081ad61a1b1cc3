#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The permissions of a file.
package struct FilePermissions: Equatable, Sendable {
    /// The last nine bits: owner, group, others.
    package let mode: UInt32
    /// Owned by root, and by a group other than root's. So a service can read it but not write it, also with a
    /// Kubernetes `fsGroup`.
    package let isForOneGroup: Bool
    /// In a container, in a mount of its own, as Kubernetes and Compose mount secrets. The mode is then often 0644,
    /// which is acceptable because a container has no other users. An error would refuse the usual mount.
    package let isMountedSecret: Bool

    package init(mode: UInt32, isForOneGroup: Bool = false, isMountedSecret: Bool = false) {
        self.mode = mode
        self.isForOneGroup = isForOneGroup
        self.isMountedSecret = isMountedSecret
    }

    /// Follows links, because a mounted Secret is one. Nil if there is no file.
    init?(ofFile path: String) {
        var status = stat()
        // A folder is no key, whatever its mode.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return nil }
        self.init(
            mode: UInt32(status.st_mode) & 0o777, isForOneGroup: status.st_uid == 0 && status.st_gid != 0,
            isMountedSecret: MountTable.isContainer && MountTable.isMounted(path))
    }
}
