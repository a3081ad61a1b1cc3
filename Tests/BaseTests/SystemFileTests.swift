import Base
import Foundation
import Testing

/// Files that the program writes over earlier ones of its own, and no others.
@Suite struct SystemFileTests {
    private static let mark = Array("mark\n".utf8)

    private static func bytes(_ text: String) -> [UInt8] { Self.mark + Array(text.utf8) }

    /// Runs `body` with the path of a file in a folder of its own.
    private static func withPath(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "system-file-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appending(path: "page.html").path)
    }

    @Test func `a new, an empty and an earlier file are written`() throws {
        try Self.withPath { path in
            try SystemFile.replace(path, Self.bytes("a longer text"), mark: Self.mark)
            try SystemFile.replace(path, Self.bytes("short"), mark: Self.mark)
            #expect(try SystemFile.contents(of: path) == Self.bytes("short"))
            try Data().write(to: URL(filePath: path))
            try SystemFile.replace(path, Self.bytes("again"), mark: Self.mark)
            #expect(try SystemFile.contents(of: path) == Self.bytes("again"))
        }
    }

    @Test(arguments: ["a secret", "mark", "\nmark\n", "<!DOCTYPE html>\n<p>mine"])
    func `another file stays as it is`(_ text: String) throws {
        try Self.withPath { path in
            try Data(text.utf8).write(to: URL(filePath: path))
            chmod(path, 0o600)
            #expect(throws: FileError.self) { try SystemFile.replace(path, Self.bytes("x"), mark: Self.mark) }
            #expect(try SystemFile.contents(of: path) == Array(text.utf8))
        }
    }

    /// A link to a file that may be overwritten, a dangling one, a second name, a folder, and a pipe.
    @Test func `no link is followed, and only ordinary files are written`() throws {
        try Self.withPath { path in
            let other = path + ".other"
            try SystemFile.replace(other, Self.bytes("kept"), mark: Self.mark)
            let makers: [(String) -> Int32] = [
                { symlink(other, $0) }, { symlink(path + ".none", $0) }, { link(other, $0) }, { mkdir($0, 0o700) },
                { mkfifo($0, 0o600) },
            ]
            for make in makers {
                #expect(make(path) == 0)
                #expect(throws: FileError.self) { try SystemFile.replace(path, Self.bytes("x"), mark: Self.mark) }
                #expect(try SystemFile.contents(of: other) == Self.bytes("kept"))
                #expect(access(path + ".none", F_OK) != 0)
                remove(path)
            }
        }
    }
}
