import ConfigurationSamples
import Foundation
import TestSupport

/// The block for nginx in docs/how-to/behind-a-proxy.md, for tests that run it.
package struct NginxSample {
    private static let page = "docs/how-to/behind-a-proxy.md"

    package private(set) var text: String

    package init() throws {
        let page = try SourceFile.text(Self.page)
        let parts = page.components(separatedBy: "```nginx\n")
        guard parts.count == 2, let block = parts[1].components(separatedBy: "\n```").first else {
            throw MissingTool(description: "\(Self.page) has not one block for nginx")
        }
        self.text = block + "\n"
    }

    /// Replaces the beginning of the one line that begins like this by each of the others: addresses and files, which are
    /// not those of the page on a machine of tests. The rest of the line stays.
    package mutating func set(_ beginning: String, to others: [String]) throws {
        var count = 0
        let lines = self.text.components(separatedBy: "\n").flatMap { line -> [String] in
            let statement = line.drop { $0 == " " }
            guard statement.hasPrefix(beginning) else { return [line] }
            count += 1
            return others.map { $0 + statement.dropFirst(beginning.count) }
        }
        guard count == 1 else {
            throw MissingTool(description: "\(count) lines of \(Self.page) begin with \(beginning)")
        }
        self.text = lines.joined(separator: "\n")
    }
}
