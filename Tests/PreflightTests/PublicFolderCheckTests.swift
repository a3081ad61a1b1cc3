/// `check` finds what is missing in the folder of the pages, in the words with which the server would not start.
import ConfigurationSamples
import Foundation
import Preflight
import ServerConfiguration
import Testing

@Suite struct PublicFolderCheckTests {
    private static func errors(_ folder: String, logo: String = "") throws -> [String] {
        let configuration = try Configuration(
            SampleConfiguration.source(adding: logo).adding("store: memory", "store: memory\npublic_dir: \(folder)"))
        return PublicFolderCheck.errors(configuration).map(\.description)
    }

    @Test(arguments: ["", "    logo: favicon.svg\n", "    logo: https://cdn.example/mitid.svg\n"])
    func whatIsThereIsRight(_ logo: String) throws {
        #expect(try Self.errors(SourceFile.path("Public"), logo: logo) == [])
    }

    @Test func aLogoThatIsNotThere() throws {
        let folder = SourceFile.path("Public")
        #expect(
            try Self.errors(folder, logo: "    logo: mitid.svg\n") == [
                "\(folder)/assets/mitid.svg: is missing, but is the logo of providers.mitid"
            ])
    }

    @Test func aFolderWithoutPages() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(
            try Self.errors(folder.path) == ["\(folder.path)/openapi.yaml: No such file or directory"])
    }
}
