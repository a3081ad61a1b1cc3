import Testing

@testable import ServerConfiguration

/// Tests which files of a container came from outside, by the mounts that Kubernetes, Compose and others make
/// (proc_pid_mountinfo(5)).
@Suite struct MountedSecretTests {
    private static let root = "600 500 0:50 / / rw,relatime master:1 - overlay overlay rw,lowerdir=/l\n"

    static let rows: [(mounts: String, file: String, isMounted: Bool)] = [
        // A part of the image.
        (root, "/etc/switchback/server.key", false),
        (root + "601 600 0:51 / /proc rw - proc proc rw\n", "/etc/switchback/server.key", false),
        // A Secret of Kubernetes.
        (
            root + "610 600 0:60 / /etc/switchback/keys ro,relatime - tmpfs tmpfs rw,size=1024k\n",
            "/etc/switchback/keys/..2026_11_25/server.key", true
        ),
        // File secrets of Compose, each a mount of its own, from whatever disk the host has.
        (
            root + "611 600 8:1 /srv/secrets/server.key /run/secrets/server.key ro,relatime - ext4 /dev/sda1 rw\n",
            "/run/secrets/server.key", true
        ),
        (
            root + "611 600 0:35 /srv/server.key /run/secrets/server.key ro - btrfs /dev/sda1 rw\n",
            "/run/secrets/other.key", false
        ),
        (
            root + "612 600 0:90 /s /run/secrets/a\\040b.key ro - virtiofs mount0 rw\n", "/run/secrets/a b.key", true
        ),
        // A folder of the host, and a volume.
        (root + "613 600 8:1 /srv/conf /etc/switchback rw - xfs /dev/sda1 rw\n", "/etc/switchback/server.key", true),
        (root + "614 600 8:1 /srv/conf /etc/switch rw - xfs /dev/sda1 rw\n", "/etc/switchback/server.key", false),
    ]

    @Test(arguments: rows)
    func `the mount table tells which files are mounted`(_ row: (mounts: String, file: String, isMounted: Bool)) {
        #expect(MountTable(row.mounts).isMounted(row.file) == row.isMounted)
    }
}
