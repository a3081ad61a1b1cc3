import Foundation
import Synchronization

struct SourceFile: Sendable {
    /// The path from the package's folder, such as `Sources/JOSE/JSON.swift`.
    let path: String
    let lines: [Substring]

    /// The file's target: the folder below `Sources`, or the wing.
    var target: String { self.folders.first ?? "" }

    /// The file's folder in the table of modules. All kinds of brokers are one line there.
    var folder: String {
        let kinds = "OpenID/Kinds/"
        let folder = self.exactFolder
        return folder.hasPrefix(kinds) && folder != kinds ? "\(kinds)*" : folder
    }

    /// The file's folder in the target, or empty.
    var exactFolder: String { self.folders.dropFirst().joined(separator: "/") }

    /// The target and the folders in it.
    private var folders: [String] {
        let folders = self.path.split(separator: "/").dropLast().map(String.init)
        if Wing.modules.contains(where: { $0.path == folders.first }) { return folders }
        return folders.firstIndex(of: "Sources").map { Array(folders[($0 + 1)...]) } ?? []
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

    /// The sources of the server, of the wing and of the client library, which is its own package.
    static let sourceFolders = ["Sources", "Sandbox", "Clients/Swift/Sources"]

    static func sources() throws -> [SourceFile] {
        try self.sourceFolders.flatMap { try self.files(below: $0) }
    }

    /// What was read, since many rules read the same folder.
    private static let read = Mutex<[String: [SourceFile]]>([:])

    /// Every Swift file below `folder`, without what SwiftPM keeps in `.build`.
    static func files(below folder: String) throws -> [SourceFile] {
        if let files = self.read.withLock({ $0[folder] }) { return files }
        let files = try self.readFiles(below: folder)
        self.read.withLock { $0[folder] = files }
        return files
    }

    private static func readFiles(below folder: String) throws -> [SourceFile] {
        let top = self.root.appending(path: folder)
        let paths = FileManager.default.enumerator(atPath: top.path)?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }.sorted().map { path in
            let text = try String(contentsOf: top.appending(path: path), encoding: .utf8)
            return SourceFile(
                path: "\(folder)/\(path)", lines: text.split(separator: "\n", omittingEmptySubsequences: false))
        }
    }
}
