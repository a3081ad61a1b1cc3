import Testing

/// The shape of every source file: its docs stand on what it declares, and it is not too long.
@Suite struct FileShapeTests {
    private static let folders = [
        "Sources", "Sandbox", "Clients/Swift/Sources", "Clients/Swift/Tests", "Tests", "Benchmarks", "Plugins",
    ]

    private struct Outlined {
        let path: String
        let outline: FileOutline
    }

    /// Every file with its outline, by folder: an outline takes longer than every rule about it.
    private static let outlined = Result {
        try Dictionary(
            uniqueKeysWithValues: Self.folders.map { folder in
                let files = try SourceTree.files(below: folder)
                return (folder, files.map { Outlined(path: $0.path, outline: FileOutline($0.lines)) })
            })
    }

    private static func files(below folder: String) throws -> [Outlined] {
        try #require(try Self.outlined.get()[folder])
    }

    /// Above an import or a blank line it would belong to nothing, and no reader would find it.
    @Test(arguments: folders)
    func `each doc comment stands on a declaration`(_ folder: String) throws {
        let loose = try Self.files(below: folder).flatMap { file in
            file.outline.looseDocs.map { "\(file.path):\($0)" }
        }
        #expect(loose == [])
    }

    @Test func `each top-level type has a doc comment`() throws {
        let files = try SourceTree.sourceFolders.flatMap { try Self.files(below: $0) }
        let silent = files.flatMap { file in
            file.outline.declarations.filter { $0.isType && !$0.hasDoc }.map { "\(file.path): \($0.name)" }
        }
        #expect(silent == [])
    }

    @Test(arguments: folders)
    func `a file of extensions begins with a line about it`(_ folder: String) throws {
        let silent = try Self.files(below: folder).filter(\.outline.isSilent)
        #expect(silent.map(\.path) == [])
    }

    @Test(arguments: OutlineRow.all)
    func `an outline finds every form of a declaration`(_ row: OutlineRow) {
        let outline = FileOutline(row.text.split(separator: "\n", omittingEmptySubsequences: false))
        #expect(outline.looseDocs == row.looseDocs)
        #expect(outline.isSilent == row.isSilent)
        #expect(outline.declarations.filter { !$0.hasDoc }.map { "\($0.kind) \($0.name)" } == row.undocumented)
    }

    @Test(arguments: ["Sources", "Sandbox", "Tests", "Clients/Swift/Sources", "Clients/Swift/Tests"])
    func `no file is longer than 400 lines`(_ folder: String) throws {
        let long = try SourceTree.files(below: folder).filter { $0.lines.count > 400 }
        #expect(long.map { "\($0.path): \($0.lines.count)" } == [])
    }

    @Test func `the median file has at most 120 lines`() throws {
        let counts = try ["Sources", "Sandbox"].flatMap { try SourceTree.files(below: $0) }.map(\.lines.count).sorted()
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
        let paths = try SourceTree.sources().map { $0.path.lowercased() }
        #expect(Set(paths).count == paths.count)
    }
}
