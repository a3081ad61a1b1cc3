/// The shape of every source file: it begins with a sentence about the file, and it is not too long.
import Testing

@Suite struct FileShapeTests {
    @Test func `a file says what it is in its first line`() throws {
        let silent = try SourceTree.sources().filter { file in
            guard let first = file.lines.first, first.hasPrefix("//") else { return true }
            let text = first.drop { $0 == "/" || $0 == " " }
            return text.isEmpty || text.hasPrefix("swift-tools")
        }
        #expect(silent.map(\.path) == [])
    }

    @Test(arguments: ["Sources", "Tests", "Clients/Swift/Sources", "Clients/Swift/Tests"])
    func `no file is longer than 400 lines`(_ folder: String) throws {
        let long = try SourceTree.files(below: folder).filter { $0.lines.count > 400 }
        #expect(long.map { "\($0.path): \($0.lines.count)" } == [])
    }

    @Test func `the median file has at most 120 lines`() throws {
        let counts = try SourceTree.files(below: "Sources").map(\.lines.count).sorted()
        let median = try #require(counts.isEmpty ? nil : counts[counts.count / 2])
        #expect(median <= 120)
    }

    /// A trap in a handler of untrusted bytes ends every login of the process.
    @Test func `no source forces a value or traps`() throws {
        let forced = try SourceTree.sources().flatMap { file in
            file.lines.enumerated().filter { _, line in
                ["try!", "as!", "fatalError("].contains { line.contains($0) }
            }.map { "\(file.path):\($0.offset + 1)" }
        }
        #expect(forced == [])
    }

    /// No two paths differ only in case: macOS would see one file.
    @Test func `paths differ in more than case`() throws {
        let paths = try SourceTree.files(below: "Sources").map { $0.path.lowercased() }
        #expect(Set(paths).count == paths.count)
    }
}
