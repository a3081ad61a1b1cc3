import ConfigurationSamples
import Foundation
import TestSupport
import Testing

/// LICENSE names the licence and everything that the program links.
@Suite struct LicenseTests {
    /// SPDX 2.3 annex E.
    @Test(arguments: ["LICENSE", "Clients/Swift/LICENSE"]) func `the first line is the SPDX identifier`(_ path: String)
        throws
    {
        let lines = try SourceFile.text(path).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "SPDX-License-Identifier: Apache-2.0")
        #expect(try SourceFile.text(path).contains("https://www.apache.org/licenses/LICENSE-2.0"))
    }

    @Test func `every Swift package that the build resolved is named`() throws {
        let text = try SourceFile.text("LICENSE").lowercased()
        let resolved = try JSONDecoder().decode(Resolved.self, from: Data(SourceFile.text("Package.resolved").utf8))
        #expect(!resolved.pins.isEmpty)
        for pin in resolved.pins {
            #expect(text.contains(pin.identity.replacing(".swift", with: "")), "LICENSE does not name \(pin.identity)")
        }
    }

    /// The names of Debian's libraries, by the names that pkg-config knows them by.
    private static let libraries = ["openssl": "libssl", "zlib": "zlib", "libcurl": "libcurl", "libpq": "libpq"]

    @Test func `every library of the system is named`() throws {
        let text = try SourceFile.text("LICENSE")
        let linked = try SourceFile.text("Package.swift").matches(of: /pkgConfig: "([a-z]+)"/).map { String($0.1) }
        #expect(Set(linked) == Set(Self.libraries.keys))
        for name in linked {
            let library = try #require(Self.libraries[name])
            #expect(text.contains(library), "LICENSE does not name \(library)")
        }
    }

    private struct Resolved: Decodable {
        struct Pin: Decodable { let identity: String }
        let pins: [Pin]
    }
}

/// README shows what `make test` prints.
@Suite struct TestCommandTests {
    @Test func `README shows the steps of the test command in their order`() throws {
        let page = try #require(Documentation.page("README.md"))
        let command = try #require(page.blocks.firstIndex { $0.text == "make test\n" })
        let shown = page.blocks[command + 1].text.split(separator: "\n")
            .compactMap { $0.wholeMatch(of: /==> (.+) \((?:\d+|…) s\)/).map { String($0.1) } }
        let titles = try SourceFile.text(".ci/steps").matches(of: /(?m)^    Step\("[a-z-]+", "test", \d+, "(.+?)"/)
        let steps = titles.map { String($0.1) }
        #expect(shown.count > 3)
        #expect(shown == steps)
    }
}
