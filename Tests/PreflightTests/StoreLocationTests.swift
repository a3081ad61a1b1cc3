import ServerConfiguration
import Testing

@testable import Preflight

/// Whether the store's folder outlives the container, according to the system's list of mounts.
@Suite struct StoreLocationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var folder = "/var/lib/switchback"
        let mounts: String
        var isContainer = true
        let concern: StoreLocation.Concern?
    }

    private static let layer = "812 700 0:99 / / ro,relatime master:9 - overlay overlay rw,lowerdir=/a:/b\n"
    private static let disk = "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
    private static let digits = String(repeating: "3f", count: 32)

    private static func volume(_ root: String, type: String = "ext4", at point: String = "/var/lib/switchback")
        -> String
    {
        "840 812 254:1 \(root) \(point) rw,relatime shared:1 master:2 - \(type) /dev/vdb rw\n"
    }

    @Test(arguments: [
        Row(testDescription: "no volume", mounts: layer, concern: .containerLayer),
        Row(testDescription: "an overlay without marks", mounts: layer, isContainer: false, concern: .containerLayer),
        Row(testDescription: "a container on another file system", mounts: disk, concern: .containerLayer),
        Row(testDescription: "a machine", mounts: disk, isContainer: false, concern: nil),
        Row(
            testDescription: "a named volume",
            mounts: layer + volume("/var/lib/docker/volumes/switchback/_data"), concern: nil),
        Row(
            testDescription: "the volume of the image", mounts: layer + volume("/docker/volumes/\(digits)/_data"),
            concern: .anonymousVolume),
        Row(testDescription: "a folder of the machine", mounts: layer + volume("/srv/switchback"), concern: nil),
        Row(
            testDescription: "a volume above it", mounts: layer + volume("/srv", at: "/var/lib"), concern: nil),
        Row(
            testDescription: "a volume beside it", mounts: layer + volume("/srv", at: "/var/lib/switch"),
            concern: .containerLayer),
        Row(
            testDescription: "in memory", mounts: disk + volume("/", type: "tmpfs"), isContainer: false,
            concern: .memory),
        Row(
            testDescription: "memory that a volume hides", mounts: disk + volume("/", type: "tmpfs") + volume("/srv"),
            concern: nil),
        Row(
            testDescription: "a blank in its name", folder: "/srv/a b/c",
            mounts: layer + volume("/x", at: "/srv/a\\040b"), concern: nil),
        Row(testDescription: "lines of nonsense", mounts: "a b c\n\n- - -\n", concern: nil),
        Row(testDescription: "nothing", mounts: "", concern: nil),
    ]) func `the store's folder is known by its mounts`(_ row: Row) {
        #expect(
            StoreLocation.concern(folder: row.folder, mounts: MountTable(row.mounts), isContainer: row.isContainer)
                == row.concern)
    }
}
