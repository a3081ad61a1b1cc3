/// Every page can be followed and read: links resolve, lines are short, marks are known.
import Foundation
import Testing

@Suite struct PageTests {
    // MARK: - Links

    @Test(arguments: Documentation.pages) func `every link leads somewhere`(_ page: MarkdownPage) {
        for passage in page.passages {
            for link in Inline(passage.text).links {
                if let problem = Self.problem(of: link, on: page) {
                    Issue.record("\(page.path):\(passage.line): \(link) \(problem)")
                }
            }
        }
    }

    /// Nil when it leads somewhere. Links to other sites are not followed.
    static func problem(of link: String, on page: MarkdownPage) -> String? {
        guard !link.contains("://"), !link.hasPrefix("mailto:") else { return nil }
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let path = parts[0].isEmpty ? page.path : Self.resolve(parts[0], from: page.path)
        guard let path, Documentation.exists(path) else { return "is not there" }
        guard parts.count == 2 else { return nil }
        guard let target = Documentation.page(path) else { return "has an anchor, and is no page" }
        return target.anchors.contains(parts[1]) ? nil : "has no such heading"
    }

    /// A path in this package, from one that is relative to a page. Nil when it leads out of the package.
    private static func resolve(_ relative: String, from page: String) -> String? {
        var folders = page.split(separator: "/").dropLast().map(String.init)
        for part in relative.split(separator: "/") {
            switch part {
            case ".": continue
            case "..":
                guard folders.popLast() != nil else { return nil }
            default: folders.append(String(part))
            }
        }
        return folders.joined(separator: "/")
    }

    /// The index leads to every other page, and the list of decisions to every decision.
    @Test func `the indexes name every page`() throws {
        let isDecision = { (path: String) in path.hasPrefix("docs/decisions/0") }
        let pages = Documentation.paths.filter { $0.hasPrefix("docs/") && $0 != "docs/README.md" && !isDecision($0) }
        #expect(try Self.unnamed(pages, by: "docs/README.md") == [])
        #expect(try Self.unnamed(Documentation.paths.filter(isDecision), by: "docs/decisions/README.md") == [])
    }

    /// Returns the pages that no link of the index leads to.
    private static func unnamed(_ pages: [String], by index: String) throws -> [String] {
        let links = try #require(Documentation.page(index)).passages.flatMap { Inline($0.text).links }
        let named = Set(links.compactMap { Self.resolve($0, from: index) })
        return pages.filter { !named.contains($0) }
    }
}

extension MarkdownPage: CustomTestStringConvertible {
    var testDescription: String { self.path }
}

/// The reader of pages sees what GitHub sees.
@Suite struct MarkdownPageTests {
    private static let page = MarkdownPage(
        path: "docs/x/page.md",
        text: """
            # A `title`, with [a link](../y.md#z)
            Text with `code [no](link)` and
            [one](one.md "title").

            | a | `b` |
            |---|---|
            | 1 | x\\|y |

            <!-- test: run -->
            ```sh
            [no](link)
            ```
            - ``two ` ticks``
            ## A title
            ## A title
            """)

    @Test func `the passages and blocks of a page are read`() throws {
        #expect(Self.page.passages.map(\.line) == [1, 2, 5, 6, 7, 13, 14, 15])
        let block = try #require(Self.page.blocks.first)
        #expect(block.language == "sh" && block.mark == "test: run" && block.text == "[no](link)\n" && block.line == 11)
    }

    @Test func `the links and code of a passage are read`() {
        let inlines = Self.page.passages.map { Inline($0.text) }
        #expect(inlines.flatMap(\.links) == ["../y.md#z", "one.md"])
        #expect(inlines.flatMap(\.code) == ["title", "code [no](link)", "b", "two ` ticks"])
    }

    @Test func `the tables of a page are read`() throws {
        let table = try #require(Self.page.tables.first)
        #expect(table.header == ["a", "`b`"] && table.rows == [["1", "x|y"]])
    }

    @Test(arguments: [
        ("`POST /v1/logins`", "post-v1logins"), ("What is it?", "what-is-it"), ("`brokers.*.issuer`", "brokersissuer"),
        ("A [link](x.md) – 2, ä_b", "a-link--2-ä_b"),
    ]) func `a heading gives its anchor`(_ heading: String, _ anchor: String) {
        #expect(Anchor.slug(heading) == anchor)
    }

    @Test func `the anchors of repeated headings are numbered`() {
        #expect(Self.page.anchors == ["a-title-with-a-link", "a-title", "a-title-1"])
    }

    // MARK: - Names

    @Test(arguments: [
        ("brokers.*.issuer", true), ("brokers.idura.issuer", true), ("keys.signing", true),
        ("keys.signing[0].file", true), ("keys.signing[].file", true), ("store", true), ("brokers.*.isuer", false),
        ("limits.nothing", false), ("brokers.*.issuer.more", false),
    ]) func `a setting is known by its path`(_ path: String, _ exists: Bool) {
        #expect(KnownNames.isSetting(path) == exists)
    }

    @Test(arguments: [
        ("switchback_pending_logins", true), ("switchback_login_duration_seconds_bucket", true),
        ("switchback_pending_login", false),
    ]) func `a metric is known by its name`(_ name: String, _ exists: Bool) {
        #expect(KnownNames.isMetric(name) == exists)
    }

    @Test(arguments: [
        ("Says `a_b`, (c.d) and e.", "Says `a_b`, (`c.d`) and e."), ("(the a_b), c[].d", "(the `a_b`), `c[].d`"),
        ("As in com.example.app:/r; or [a_b].", "As in `com.example.app:/r`; or [`a_b`]."),
        ("Takes {\"a\": {\"b\": 1}} (Core 5.5).", "Takes `{\"a\": {\"b\": 1}}` (Core 5.5)."),
    ]) func `the names in explanations are marked as code`(_ text: String, _ marked: String) {
        #expect(Paragraph.marked(text) == marked)
    }
}
