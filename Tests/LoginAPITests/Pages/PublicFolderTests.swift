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

    @Test(arguments: ["templates/page.mustache", "strings.yaml", "openapi.yaml", "assets"])
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

    @Test(arguments: ["en: [", "- a", "en: {back_button: {a: b}}"]) func aBrokenTableIsNamed(_ text: String) throws {
        let complaint = try Self.spoilt { try Data(text.utf8).write(to: $0.appending(path: "strings.yaml")) }
        #expect(complaint?.hasPrefix("Public/strings.yaml: is not a table of languages") == true)
    }

    @Test func whatIsNotUTF8IsNamed() throws {
        let complaint = try Self.spoilt { try Data([0xFF]).write(to: $0.appending(path: "strings.yaml")) }
        #expect(complaint == "Public/strings.yaml: is not UTF-8")
    }

    @Test func aFileOfAStrangeKindIsNamed() throws {
        let complaint = try Self.spoilt { try Data().write(to: $0.appending(path: "assets/x.exe")) }
        #expect(complaint?.hasPrefix("Public/assets/x.exe: has an unknown type") == true)
    }

    @Test func hiddenFilesAreLeftAlone() throws {
        #expect(try Self.spoilt { try Data().write(to: $0.appending(path: "assets/.DS_Store")) } == nil)
    }
}
