import Foundation
import Testing

@Suite struct ModulePageTests {
    private static let pages = Result { try House.withWing.map { try ModulePage(of: $0) } }

    @Test func `each module has a page of its own`() throws {
        for module in House.withWing {
            let path = ModulePage.path(of: module)
            #expect(FileManager.default.fileExists(atPath: SourceTree.root.appending(path: path).path), "\(path)")
        }
    }

    /// The table of modules shows this sentence.
    @Test func `a page begins with one sentence about what the module does`() throws {
        for page in try Self.pages.get() {
            let purpose = try #require(page.purpose, "\(page.path) does not begin with a sentence about `its name`")
            let words = purpose.split { !$0.isLetter }.map { $0.lowercased() }
            #expect(!words.isEmpty && !words.contains("and"), "\(page.path): a module that does two things is two")
        }
    }

    @Test func `a page has all parts in their order`() throws {
        for page in try Self.pages.get() {
            var rest = page.text[...]
            for part in ModulePage.parts {
                let found = try #require(rest.range(of: "\n\n\(part)"), "\(page.path) lacks \(part), or has it early")
                rest = rest[found.upperBound...]
            }
        }
    }

    @Test func `a page is read in a minute`() throws {
        for page in try Self.pages.get() {
            let count = page.written.split(separator: "\n", omittingEmptySubsequences: false).count
            #expect(count <= 40, "\(page.path) has \(count) lines without its generated part")
        }
    }

    @Test func `a page leads to two to four files to start at`() throws {
        for page in try Self.pages.get() {
            let starts = page.written.components(separatedBy: "**Start at**").last ?? ""
            let count = starts.split(separator: "\n").count { $0.hasPrefix("- [`") }
            // BuiltInFiles has one file of its own, and its build two.
            #expect((2...4).contains(count), "\(page.path) has \(count)")
        }
    }

    // MARK: - Names

    @Test func `each file that a page names exists`() throws {
        for page in try Self.pages.get() {
            let folder = SourceTree.root.appending(path: page.path).deletingLastPathComponent()
            for link in page.links where !link.contains("://") {
                #expect(Self.exists(link, in: folder), "\(page.path): nothing is at \(link)")
            }
            // `/metrics` is a path of the API.
            let names = page.code.filter { $0.hasSuffix(".swift") || $0.contains("/") && !$0.hasPrefix("/") }
            for name in names {
                let isThere =
                    [folder, SourceTree.root, SourceTree.root.appending(path: "Public")]
                    .contains { Self.exists(name, in: $0) }
                    || Self.named(name, in: page)
                #expect(isThere, "\(page.path): there is no file \(name)")
            }
        }
    }

    private static func exists(_ path: String, in folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).standardizedFileURL.path)
    }

    /// Whether it is the name of a file beside one that the page links to, or the text of such a link.
    private static func named(_ name: String, in page: ModulePage) -> Bool {
        let folder = SourceTree.root.appending(path: page.path).deletingLastPathComponent()
        let folders = page.links.map { folder.appending(path: $0).deletingLastPathComponent() }
        return folders.contains { Self.exists(name, in: $0) }
    }

    /// A type that another module owns counts too: a page says what comes from there.
    @Test func `each type that a page names exists`() throws {
        let declared = try SourceTree.sources().reduce(into: Set<String>()) { names, file in
            names.formUnion(TypeNames(file.lines.joined(separator: "\n")).declared)
        }
        let known = House.withWing.reduce(into: declared) { $0.formUnion($1.foreign.union([$1.name])) }
        for page in try Self.pages.get() {
            let folders = Set(page.module.folders.flatMap { $0.name.split(separator: "/").map(String.init) })
            for code in page.code where code.wholeMatch(of: /[A-Z][A-Za-z]+(\.\w+)?/) != nil {
                let name = String(code.prefix { $0 != "." })
                guard !code.hasSuffix(".swift"), !folders.contains(name), !Self.others.contains(name) else { continue }
                let isKnown = known.contains(name)
                #expect(isKnown, "\(page.path): there is no type \(name)")
            }
        }
    }

    /// The folders of files that are built in, the plugin that does it, and Swift's own.
    private static let others: Set = ["EmbedFiles", "Public", "TaskExecutor", "Web"]
}
