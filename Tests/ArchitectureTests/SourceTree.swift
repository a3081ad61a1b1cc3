import Foundation

struct SourceFile: Sendable {
    /// The path from the package's folder, such as `Sources/JOSE/JSON.swift`.
    let path: String
    let lines: [Substring]

    /// The file's target: the folder below `Sources`.
    var target: String {
        let folders = self.path.split(separator: "/")
        guard let sources = folders.firstIndex(of: "Sources"), sources + 1 < folders.endIndex else { return "" }
        return String(folders[sources + 1])
    }

    /// The file's folder in the table of modules. All kinds of brokers are one line there.
    var folder: String { self.exactFolder.replacing(/^OpenID\/Kinds\/.+/, with: "OpenID/Kinds/*") }

    /// The file's folder in the target, or empty.
    var exactFolder: String {
        let folders = self.path.split(separator: "/")
        guard let sources = folders.firstIndex(of: "Sources") else { return "" }
        return folders.dropFirst(sources + 2).dropLast().joined(separator: "/")
    }

    /// The modules that it imports, without attributes and access levels.
    var imports: Set<String> {
        Set(
            self.lines.compactMap { line in
                let words = line.split(separator: " ")
                guard let keyword = words.firstIndex(of: "import"), keyword + 1 < words.count,
                    words[..<keyword].allSatisfy({ $0.hasPrefix("@") || $0 == "internal" || $0 == "package" })
                else { return nil }
                // `import struct Dispatch.DispatchQueue`
                let kinds: Set<Substring> = ["struct", "class", "enum", "func", "protocol", "typealias", "var", "let"]
                let name = kinds.contains(words[keyword + 1]) ? words.last : words[keyword + 1]
                return name?.split(separator: ".").first.map(String.init)
            })
    }
}

/// The Swift files of this package, for the rules about them.
enum SourceTree {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The sources of the server and of the client library, which is its own package.
    static func sources() throws -> [SourceFile] {
        try self.files(below: "Sources") + self.files(below: "Clients/Swift/Sources")
    }

    /// Every Swift file below `folder`, without what SwiftPM keeps in `.build`.
    static func files(below folder: String) throws -> [SourceFile] {
        let top = self.root.appending(path: folder)
        let paths = FileManager.default.enumerator(atPath: top.path)?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }.sorted().map { path in
            let text = try String(contentsOf: top.appending(path: path), encoding: .utf8)
            return SourceFile(
                path: "\(folder)/\(path)", lines: text.split(separator: "\n", omittingEmptySubsequences: false))
        }
    }
}
