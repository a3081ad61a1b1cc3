import Foundation

/// Files of this package, by their path in it.
package enum SourceFile {
    /// The package's folder, three levels above this file.
    private static let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()

    package static func path(_ name: String) -> String { "\(Self.root)/\(name)" }

    package static func text(_ name: String) throws -> String {
        try String(contentsOfFile: Self.path(name), encoding: .utf8)
    }

    /// Returns the paths of the text files in a folder and its subfolders: all files but pictures.
    package static func paths(below folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: Self.path(folder))?.compactMap { $0 as? String } ?? []
        return names.filter { !$0.hasSuffix(".png") }.map { "\(folder)/\($0)" }.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: Self.path(path), isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    package static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: Self.path(folder))) ?? []).sorted()
    }
}
