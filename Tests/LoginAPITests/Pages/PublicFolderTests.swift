/// Tests missing or wrong files in `Public`: the server does not start, and names the file.
import Foundation
import JOSE
import Testing

@testable import LoginAPI

@Suite struct PublicFolderTests {
    /// Changes a copy of `Public` for a test, and removes it afterwards.
    static func spoilt(_ spoil: (URL) throws -> Void) throws -> String? {
        let original = URL(filePath: HandlerBench.publicFolder).resolvingSymlinksInPath()
        let copy = FileManager.default.temporaryDirectory.appending(path: "public-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: original, to: copy)
        defer { try? FileManager.default.removeItem(at: copy) }
        try spoil(copy)
        do {
            _ = try Pages(PublicFolder(copy.path), apps: [:])
            _ = try PublicFiles(PublicFolder(copy.path), assertionKeys: JWKSet([]), clientKeys: JWKSet([]))
            return nil
        } catch {
            return "\(error)".replacing(copy.path, with: "Public")
        }
    }

    @Test(arguments: ["templates/page.mustache", "strings", "openapi.yaml", "assets"])
    func aMissingFileIsNamed(_ name: String) throws {
        let complaint = try Self.spoilt { try FileManager.default.removeItem(at: $0.appending(path: name)) }
        #expect(complaint == "Public/\(name): No such file or directory")
    }

    @Test func aBrokenTemplateIsNamed() throws {
        let complaint = try Self.spoilt {
            try Data("{{#a}}".utf8).write(to: $0.appending(path: "templates/page.mustache"))
        }
        #expect(complaint?.hasPrefix("Public/templates/page.mustache: is not a mustache template") == true)
    }

    /// Replaces the line of a file that contains `old`, or adds a line if `old` is empty.
    static func spoiltText(_ file: String, _ old: String, _ new: String) throws -> String? {
        try Self.spoilt { copy in
            let url = copy.appending(path: "strings/\(file)")
            let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
            let text = lines.map { !old.isEmpty && $0.contains(old) ? new : String($0) } + (old.isEmpty ? [new] : [])
            try Data(text.joined(separator: "\n").utf8).write(to: url)
        }
    }

    @Test(arguments: [
        ("da", "  close_hint:", "", "close_hint is missing"),
        ("da", "  close_hint:", "  close_hint: \"\"", "close_hint is missing"),
        ("da", "", "  close_hnit: x", "close_hnit is not a key of any page"),
        ("sv-FI", "", "  close_hnit: x", "close_hnit is not a key of any page"),
        ("da", "  close_hint:", "  close_hint: a {ap}", "close_hint has {ap}, but only {app} and {provider} are known"),
        ("da", "  close_hint:", "  close_hint: Luk {app", "close_hint has a brace too many"),
        ("da", "  close_hint:", "  close_hint: Luk app}", "close_hint has a brace too many"),
        ("da", "review:", "", "review is missing"), ("sv-FI", "review:", "", "review is missing"),
        ("da", "review:", "review: fine", "review must be draft, or reviewed by and a name"),
        ("da", "review:", "review: \"reviewed by \"", "review must be draft, or reviewed by and a name"),
        ("kl", "opt_in:", "opt_in: maybe", "opt_in must be true or false"),
        ("da", "direction:", "direction: up", "direction must be ltr or rtl"),
        ("da", "direction:", "riktning: ltr", "riktning is not a key of any page"),
        ("da", "the_app:", "", "the_app is missing"), ("da", "the_provider:", "", "the_provider is missing"),
        ("da", "texts:", "text:", "text is not a key of any page"),
        // Only the file of a region takes what it lacks from another one.
        ("sv", "  close_hint:", "", "close_hint is missing"),
    ]) func aWrongFileOfTextsIsNamed(_ file: String, _ old: String, _ new: String, _ message: String) throws {
        #expect(try Self.spoiltText("\(file).yaml", old, new) == "Public/strings/\(file).yaml: \(message)")
    }

    @Test(arguments: ["texts: [", "- a", "texts: {close_hint: {a: b}}", "review: draft\nreview: draft"])
    func aBrokenTableIsNamed(_ text: String) throws {
        let complaint = try Self.spoilt { try Data(text.utf8).write(to: $0.appending(path: "strings/da.yaml")) }
        #expect(complaint?.hasPrefix("Public/strings/da.yaml: is not a table of texts") == true)
    }

    @Test func whatIsNotUTF8IsNamed() throws {
        let complaint = try Self.spoilt { try Data([0xFF]).write(to: $0.appending(path: "strings/da.yaml")) }
        #expect(complaint == "Public/strings/da.yaml: is not UTF-8")
    }

    @Test func aFileThatIsNoTableIsNamed() throws {
        let complaint = try Self.spoilt { try Data().write(to: $0.appending(path: "strings/da.txt")) }
        #expect(complaint == "Public/strings/da.txt: is no file of texts: use .yaml")
    }

    @Test func aFileOfAStrangeKindIsNamed() throws {
        let complaint = try Self.spoilt { try Data().write(to: $0.appending(path: "assets/x.exe")) }
        #expect(complaint?.hasPrefix("Public/assets/x.exe: has an unknown type") == true)
    }

    @Test func hiddenFilesAreLeftAlone() throws {
        #expect(try Self.spoilt { try Data().write(to: $0.appending(path: "assets/.DS_Store")) } == nil)
    }
}
