import Testing

/// Tables whose keys callers choose are hashed with a secret key: by Swift's own tables, or as decision 36 says.
@Suite struct HashedTableTests {
    /// The types of the server that say themselves how they are hashed, or where a table puts them. Each is in decision 36.
    private static let own: Set = [
        "Sources/Logins/Values/LoginID.swift", "Sources/Logins/Values/LoginDictionary.swift",
        "Sources/Stores/Memory/MemoryLoginStore.swift", "Sources/Stores/SQLite/LiveLogins.swift",
        "Sources/Stores/Tombstones/TombstoneTable.swift",
    ]
    /// Signs of a hash of one's own.
    private static let signs = ["func hash(into", "hashValue", "tableHash", "&* self.", "% self.parts", "% UInt64("]

    @Test func `no other type hashes in its own way`() throws {
        let files = try SourceTree.sources().filter { !$0.path.hasPrefix("Sandbox/") }
        let found = files.filter { file in
            file.lines.contains { line in Self.signs.contains { line.contains($0) } }
        }
        #expect(Set(found.map(\.path)) == Self.own)
        for file in found {
            let names = file.lines.filter { $0.contains("tableHash") || $0.contains("func hash(into") }
            #expect(!names.isEmpty, "\(file.path) does not use the hash with a key")
        }
    }
}
