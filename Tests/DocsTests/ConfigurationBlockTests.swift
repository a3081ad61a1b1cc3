import Testing

@testable import ServerConfiguration

/// The pieces of configuration on pages have only settings that exist. `.ci/prose` looks at what the text names.
@Suite struct ConfigurationBlockTests {
    /// What a setting begins with: `public_url`, `brokers`.
    private static let names = Set(
        SettingTable.all.compactMap { setting -> String? in
            guard case .name(let name)? = setting.pattern.segments.first else { return nil }
            return name
        })

    /// A block of YAML whose first names are settings is a piece of a configuration.
    @Test(arguments: Documentation.presentPages) func `every configuration on a page has only valid settings`(
        _ page: MarkdownPage
    )
        throws
    {
        for block in page.blocks where block.language == "yaml" {
            let file = "\(page.path), block at line \(block.line)"
            let root = try ConfigurationNode(yaml: Array(block.text.utf8), file: file)
            guard case .map(let members) = root.content, members.contains(where: { Self.names.contains($0.name) })
            else {
                continue
            }
            let problems = ConfigurationWalker(root, file: file).problems
            #expect(problems.map(\.description) == [])
        }
    }
}
