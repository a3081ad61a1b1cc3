import Foundation
import TestSupport
import Testing

/// A disk of a megabyte in memory, mounted for one process: it can really be full, and disappears with the process.
struct SmallDisk: Sendable {
    private static let unshare = ["unshare", "--map-root-user", "--mount"]

    private let folder: String

    init(at folder: String) { self.folder = folder }

    /// Whether the system lets us mount the disk: containers often may not, nor ordinary users on some systems.
    static let isPossible: Bool = {
        let folder = NSTemporaryDirectory()
        let words = Self.unshare.dropFirst() + ["mount", "-t", "tmpfs", "none", folder]
        guard let process = try? ChildProcess(tool: "unshare", Array(words), in: folder) else { return false }
        return process.end()
    }()

    /// Returns the command that must start a program so that it sees the disk.
    func wrapper() throws -> [String] {
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        let script = "mount -t tmpfs -o size=1m,mode=700 none '\(self.folder)' && exec \"$@\""
        return Self.unshare + ["sh", "-c", script, "sh"]
    }

    func fill(of process: ChildProcess) throws {
        let file = FileManager.default
        #expect(file.createFile(atPath: self.filler(process), contents: nil))
        let handle = try FileHandle(forWritingTo: URL(filePath: self.filler(process)))
        defer { try? handle.close() }
        for size in [65_536, 4_096, 512] {
            while (try? handle.write(contentsOf: Data(count: size))) != nil {}
        }
    }

    func empty(of process: ChildProcess) throws { try FileManager.default.removeItem(atPath: self.filler(process)) }

    private func filler(_ process: ChildProcess) -> String { "/proc/\(process.id)/root\(self.folder)/filler" }
}
