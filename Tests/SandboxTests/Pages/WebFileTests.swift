import Foundation
import HTTPWire
import Testing

@testable import Sandbox

/// The scripts and the style sheet are served as their files say.
@Suite struct WebFileTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sandbox/Web")

    @Test(arguments: WebFile.all.map(\.path)) func `a path has the bytes of its files`(_ path: String) throws {
        let file = try #require(WebFile.all.first { $0.path == path })
        let written = try file.parts.map { try Data(contentsOf: Self.folder.appending(path: $0)) }
        let request = try #require(Request(.get, path))
        let response = try #require(WebFile.response(to: request))
        #expect(response.body == written.flatMap { Array($0) })
        #expect(response.fields[.contentType] == "text/\(path.hasSuffix(".css") ? "css" : "javascript"); charset=utf-8")
    }

    @Test func `each file of the folder is served once`() throws {
        // The texts are for the program only.
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
            .filter { $0.contains(".") && !$0.hasSuffix(".txt") }
        #expect(names.sorted() == WebFile.all.flatMap(\.parts).sorted())
    }

    @Test func `any other path is none of them`() throws {
        let request = try #require(Request(.get, "/keys.js"))
        #expect(WebFile.response(to: request) == nil)
    }
}
