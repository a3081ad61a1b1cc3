import Testing

/// Checks every source file against the tables in `House` and `Wing`: which modules and folders it may use.
@Suite struct HouseRuleTests {
    static let sources = Result { try SourceTree.sources() }

    private func sources() throws -> [SourceFile] { try Self.sources.get() }

    private func files(of module: Module) throws -> [SourceFile] {
        try self.sources().filter { $0.target == module.name }
    }

    // MARK: - Modules

    @Test func `every module is in the table`() throws {
        let targets = Set(try self.sources().map(\.target))
        let known = House.withWing.map(\.name)
        #expect(Set(known).count == known.count, "a module is listed twice")
        #expect(targets.subtracting(known).sorted() == [])
        #expect(Set(known).subtracting(targets).sorted() == [], "a line without a module")
    }

    @Test func `no file imports what its module may not`() throws {
        for module in House.withWing {
            for file in try self.files(of: module) {
                let offences = file.imports.subtracting(module.imports).subtracting(module.foreign).sorted()
                #expect(offences == [], "\(file.path)")
            }
        }
    }

    /// An import in the table that no file uses would make the diagram wrong.
    @Test func `every module imports what the table says`() throws {
        for module in House.withWing {
            let imported = try self.files(of: module).reduce(into: Set<String>()) { $0.formUnion($1.imports) }
            #expect(module.imports.subtracting(imported).sorted() == [], "\(module.name)")
        }
    }

    @Test func `modules import only earlier ones`() {
        var before: Set<String> = []
        for (module, next) in zip(House.modules, House.modules.dropFirst() + House.modules.suffix(1)) {
            #expect(module.imports.subtracting(before).sorted() == [], "\(module.name) imports a later module")
            before.insert(module.name)
            let floors = Module.Floor.allCases
            let (here, above) = (floors.firstIndex(of: module.floor), floors.firstIndex(of: next.floor))
            #expect((here ?? 0) <= (above ?? 0), "\(next.name) is listed after a module of a higher floor")
        }
    }

    @Test func `the wing uses only the lowest floors of the house`() {
        let open = Set(House.modules.filter { Wing.floors.contains($0.floor) }.map(\.name))
        for module in Wing.modules { #expect(module.imports.subtracting(open).sorted() == [], "\(module.name)") }
    }

    /// `serve` cannot reach the sandbox: only the folder of the command `sandbox` imports it.
    @Test func `only the sandbox command knows the sandbox`() throws {
        let files = try self.sources().filter { $0.target != "Sandbox" && $0.imports.contains("Sandbox") }
        #expect(files.allSatisfy { $0.path.hasPrefix("Sources/SwitchbackCommand/Sandbox/") }, "\(files.map(\.path))")
        #expect(!files.isEmpty)
    }

    // MARK: - Folders

    @Test func `every folder is in the table`() throws {
        for module in House.withWing {
            let folders = Set(try self.files(of: module).map(\.folder))
            #expect(folders.sorted() == module.folders.map(\.name).sorted(), "\(module.name)")
        }
    }

    /// A folder uses only folders listed before it, so there are no cycles.
    @Test func `a folder uses only folders before it`() {
        for module in House.withWing {
            var below: Set<String> = []
            for folder in module.folders {
                #expect(folder.uses.subtracting(below).sorted() == [], "\(module.name)/\(folder.name)")
                below.insert(folder.name)
            }
        }
    }

    @Test func `every folder uses what the table says`() throws {
        for module in House.withWing {
            let uses = FolderUses(try self.files(of: module))
            for folder in module.folders {
                let found = uses.found[folder.name] ?? [:]
                for (other, why) in found.sorted(by: { $0.key < $1.key }) where !folder.uses.contains(other) {
                    Issue.record("\(module.name)/\(folder.name) must not use \(other): \(why)")
                }
                let idle = folder.uses.subtracting(found.keys).sorted()
                #expect(idle == [], "\(module.name)/\(folder.name) no longer uses these")
            }
        }
    }

    /// So a kind is added, changed or removed in its own folder.
    @Test func `no kind of broker knows another kind`() throws {
        let kinds = try self.sources().filter { $0.target == "Brokers" && $0.folder == "OpenID/Kinds/*" }
        #expect(Set(kinds.map(\.exactFolder)).count >= 3)
        #expect(FolderUses(kinds, in: \.exactFolder).found == [:])
    }

    // MARK: - Names

    /// Else a reader, and a search, find two meanings of one word.
    @Test func `no nested type has the name of another type of its module`() throws {
        for module in House.withWing {
            let files = try self.files(of: module).map { ($0.path, TypeNames($0.lines.joined(separator: "\n"))) }
            for (path, types) in files {
                let others = files.filter { $0.0 != path }.flatMap(\.1.declared)
                #expect(types.nested.intersection(others).sorted() == [], "\(path)")
            }
        }
    }

    // MARK: - Files

    /// Only these open files to write, so that no other follows a link or replaces what is not the program's.
    @Test func `files are written in one place`() throws {
        let places: Set = [
            "Sources/Audit/Writing/AuditFile.swift", "Sources/Base/SystemFile.swift",
            "Sources/Stores/SQLite/SQLiteFiles.swift", "Sources/Stores/SQLite/SQLiteLock.swift",
        ]
        let words = ["O_CREAT", "O_TRUNC", "O_WRONLY", "O_RDWR", "fopen(", "creat(", ".write(to:", "createFile("]
        // The clients run on phones, where each app has a folder of its own.
        for file in try self.sources() where !file.path.hasPrefix("Clients/") {
            let opening = file.lines.filter { line in words.contains { line.contains($0) } }
            guard !opening.isEmpty else { continue }
            #expect(places.contains(file.path), "\(file.path): \(opening)")
            let creating = opening.filter { $0.contains("O_CREAT") && $0.contains("O_") && !$0.contains("for: path") }
            #expect(creating.allSatisfy { $0.contains("O_NOFOLLOW") }, "\(file.path): \(creating)")
        }
    }

    // MARK: - The parsers

    @Test func `the reader of imports sees every form`() {
        let text =
            "import A\n@preconcurrency import B\ninternal import C\nimport struct D.E\n// import F\nlet import1 = 2"
        let file = SourceFile(path: "Sources/X/x.swift", lines: text.split(separator: "\n"))
        #expect(file.imports == ["A", "B", "C", "D"])
    }

    @Test func `the reader of types leaves out what is none`() {
        let text = #"""
            import struct D.E
            /// Not a Comment, and /* nor */ this
            package final class Outer: Base<Item> {
                struct Inner { let text = "a Text with \"Quotes\"" }
                let shape: Shape = .Round /* a /* nested */ Comment */
            }
            private enum Hidden {}
            typealias Short = Longer
            extension Known { func f() -> Outer.Other { Outer.Other() } }
            let quoted = """
                Many "Lines" \(Value)
                """
            """#
        let types = TypeNames(text)
        #expect(types.declared == ["Outer", "Short"])
        #expect(types.nested == ["Inner", "Hidden"])
        #expect(types.mentioned.isSuperset(of: ["Base", "Item", "Shape", "Longer", "Known", "Outer"]))
        #expect(types.mentioned.isDisjoint(with: ["Comment", "Text", "Quotes", "Round", "Other", "Many", "Lines"]))
    }
}
