import ConfigurationSamples
import Foundation
import Preflight
import ServerConfiguration
import TestSupport
import Testing

/// `check` finds what is missing in the folder of the pages, in the words with which the server would not start.
@Suite struct PublicFolderCheckTests {
    private static func configuration(_ folder: String, logo: String = "", adding line: String = "") throws
        -> Configuration
    {
        try Configuration(
            SampleConfiguration.source(adding: logo).adding(
                "store: memory", "store: memory\npublic_dir: \(folder)\n\(line)"))
    }

    private static func errors(_ folder: String, logo: String = "") throws -> [String] {
        PublicFolderCheck.errors(try Self.configuration(folder, logo: logo)).map(\.description)
    }

    @Test(arguments: ["", "    logo: favicon.svg\n", "    logo: https://cdn.example/mitid.svg\n"])
    func `a complete folder has no errors`(_ logo: String) throws {
        #expect(try Self.errors(SourceFile.path("Public"), logo: logo) == [])
    }

    @Test func `a logo that is not there is named`() throws {
        let folder = SourceFile.path("Public")
        #expect(
            try Self.errors(folder, logo: "    logo: mitid.svg\n") == [
                "\(folder)/assets/mitid.svg: is missing, but is the logo of providers.mitid"
            ])
    }

    @Test func `a folder of something else is named`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder.appending(path: "template"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(
            try Self.errors(folder.path) == [
                "\(folder.path)/template: is not a file of the pages; did you mean templates?"
            ])
    }

    @Test(arguments: [
        ("default_language: sv-FI", nil),
        (
            "default_language: fo",
            "default_language: fo is the default_language, but needs allow_draft_languages"
        ),
        (
            "default_language: is",
            "default_language: the pages have no language is. They have da, de, en, fi, fo, kl, nb, nl, nn, sv-FI, sv"
        ),
        (
            "default_language: dk",
            "default_language: the pages have no language dk. They have da, de, en, fi, fo, kl, nb, nl, nn, sv-FI, sv; write da"
        ),
        ("{default_language: fo, allow_draft_languages: true}", nil),
    ]) func `the default language must be offered`(_ settings: String, _ error: String?) throws {
        let folder = SourceFile.path("Public")
        let lines = settings.filter { !"{}".contains($0) }.replacing(", ", with: "\n")
        let found = PublicFolderCheck.errors(try Self.configuration(folder, adding: lines)).map(\.description)
        #expect(found == [error].compactMap(\.self))
    }

    @Test func `drafts that users get are a warning`() throws {
        let folder = SourceFile.path("Public")
        let warnings = PublicFolderCheck.warnings(
            try Self.configuration(folder, adding: "allow_draft_languages: true"))
        #expect(
            warnings.map(\.description) == [
                "allow_draft_languages: the pages are offered in fo, kl: drafts that no native speaker has read; "
                    + "ask one, then change review in strings of public_dir"
            ])
        #expect(warnings.allSatisfy { $0.level == .warning })
        #expect(PublicFolderCheck.warnings(try Self.configuration(folder)).isEmpty)
    }
}
