import Testing

@testable import SwitchbackCommand

/// Generates docs/how-to/providers.md from the providers that `switchback init` knows.
@Suite struct ProvidersPageTests {
    @Test func `the page has every known provider`() throws {
        let part = GeneratedPart(
            path: "docs/how-to/providers.md", source: "the table in Sources/SwitchbackCommand/Init/Providers")
        let groups = KnownProvider.Group.allCases.map { group in
            let rows = KnownProvider.all.filter { $0.group == group }.sorted(by: Self.isBefore)
            return "## \(group.rawValue)\n\n" + rows.map(Self.section).joined(separator: "\n")
        }
        try part.expect(Self.table + "\n" + groups.joined(separator: "\n"))
    }

    private static func isBefore(_ one: KnownProvider, _ other: KnownProvider) -> Bool {
        one.title.lowercased() < other.title.lowercased()
    }

    private static var table: String {
        let rows = KnownProvider.all.sorted(by: Self.isBefore).map { provider in
            let proof =
                switch (provider.refusal, provider.freshness) {
                case (_?, _): "it cannot be used"
                case (nil, .proved): "yes"
                case (nil, .recent): "no, but one at most five minutes old"
                case (nil, .unproved): "no"
                }
            return "| [\(provider.title)](#\(Self.anchor(provider.title))) | `\(provider.name)` | \(proof) |\n"
        }
        return "| provider | `--provider` | proves a fresh login |\n|---|---|---|\n" + rows.joined()
    }

    /// As GitHub makes it of a heading.
    private static func anchor(_ heading: String) -> String {
        String(
            heading.lowercased().compactMap { character in
                if character == " " { return "-" }
                return character.isLetter || character.isNumber || character == "-" ? character : nil
            })
    }

    private static func section(_ provider: KnownProvider) -> String {
        let heading = "### \(provider.title)\n\n"
        let links = provider.sources.map { "<\($0)>" }.joined(separator: ", ")
        let sources = Paragraph.wrapped("Described by \(links).") + "\n"
        if let refusal = provider.refusal {
            return heading + Paragraph.wrapped("`--provider \(provider.name)` is refused: \(refusal).") + "\n\n"
                + sources
        }
        let advice = provider.advice.map { Paragraph.wrapped("- \($0)", indent: "  ") + "\n" }.joined()
        return heading + "```yaml\n\(Self.yaml(provider))```\n\n" + (advice.isEmpty ? "" : advice + "\n") + sources
    }

    /// What `init` writes, without its comments.
    private static func yaml(_ provider: KnownProvider) -> String {
        let authentication = provider.hasSecret ? "" : "    client_authentication: private_key_jwt\n"
        let own = provider.broker.map { KnownProvider.Line($0.name, $0.value).yaml("    ") }.joined()
        let asked = provider.provider.map { KnownProvider.Line($0.name, $0.value).yaml("    ") }.joined()
        let prompt =
            switch provider.freshness {
            case .proved: "    prompt: login\n"
            case .recent: "    max_age: 300\n"
            case .unproved: ""
            }
        return """
            brokers:
              broker:
                kind: oidc
                issuer: \(provider.exampleIssuer)
                client_id: example
            \(authentication)\(own)providers:
              eid:
                broker: broker
                names: \(provider.title)
                scope: [\(provider.scopeList.joined(separator: ", "))]
            \(prompt)\(asked)
            """
    }
}
