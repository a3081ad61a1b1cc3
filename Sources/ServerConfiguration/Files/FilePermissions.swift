/// The permissions of a file.
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

package struct FilePermissions: Equatable, Sendable {
    /// The last nine bits: owner, group, others.
    package let mode: UInt32
    /// Owned by root and by another group: how a service gets to read what it must not write, also with an `fsGroup`.
    package let isForOneGroup: Bool
    /// In memory and in a container, as Kubernetes mounts a Secret, with mode 0644 unless it is told otherwise: there are no
    /// other users there. An error would refuse the usual mount.
    package let isMountedSecret: Bool

    package init(mode: UInt32, isForOneGroup: Bool = false, isMountedSecret: Bool = false) {
        self.mode = mode
        self.isForOneGroup = isForOneGroup
        self.isMountedSecret = isMountedSecret
    }

    /// Of what links lead to, since a mounted Secret is one. Nil where there is nothing.
    init?(ofFile path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(
            mode: UInt32(status.st_mode) & 0o777, isForOneGroup: status.st_uid == 0 && status.st_gid != 0,
            isMountedSecret: MountTable.isContainer && MountTable.isInMemory(path))
    }
}
