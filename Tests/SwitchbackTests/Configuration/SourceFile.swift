/// Files of this package, by their path in it.
import Foundation

enum SourceFile {
    /// Four steps up from this file.
    private static let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()

    static func path(_ name: String) -> String { "\(Self.root)/\(name)" }

    static func text(_ name: String) throws -> String { try String(contentsOfFile: Self.path(name), encoding: .utf8) }

    static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: Self.path(folder))) ?? []).sorted()
    }
}
