import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// What each thief gets: the rows of docs/explanation/sessions.md, each played against a running server.
@Suite struct ThiefTests {
    static let thieves = Thief.ofTheStore + Thief.ofThePhone + Thief.ofTheLogin

    @Test(arguments: thieves)
    func `each thief gets what the table says`(_ thief: Thief) async throws { try await thief.steal() }

    @Test func `the table of the page says the same`() throws {
        let file = URL(filePath: RunningServer.publicFolder).deletingLastPathComponent()
            .appending(path: "docs/explanation/sessions.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let section = try #require(page.components(separatedBy: "## What each thief gets\n").dropFirst().first)
            .components(separatedBy: "\n## ")[0]
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
            line.replacing(#/ \(\[[^\]]*\]\([^)]*\)\)/#, with: "")
        }
        #expect(rows == Self.thieves.map { "| \($0.has) | \($0.gets) |" })
    }
}
