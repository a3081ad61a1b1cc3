import Testing

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

    @Test func `passages and blocks have their lines`() throws {
        #expect(Self.page.passages.map(\.line) == [1, 2, 5, 6, 7, 13, 14, 15])
        let block = try #require(Self.page.blocks.first)
        #expect(block.language == "sh" && block.mark == "test: run" && block.text == "[no](link)\n" && block.line == 11)
    }

    @Test func `links and code are told apart`() {
        let inlines = Self.page.passages.map { Inline($0.text) }
        #expect(inlines.flatMap(\.links) == ["../y.md#z", "one.md"])
        #expect(inlines.flatMap(\.code) == ["title", "code [no](link)", "b", "two ` ticks"])
    }

    @Test func `a table has a header and rows`() throws {
        let table = try #require(Self.page.tables.first)
        #expect(table.header == ["a", "`b`"] && table.rows == [["1", "x|y"]])
    }

    @Test(arguments: [
        ("Says `a_b`, (c.d) and e.", "Says `a_b`, (`c.d`) and e."), ("(the a_b), c[].d", "(the `a_b`), `c[].d`"),
        ("As in com.example.app:/r; or [a_b].", "As in `com.example.app:/r`; or [`a_b`]."),
        ("Takes {\"a\": {\"b\": 1}} (Core 5.5).", "Takes `{\"a\": {\"b\": 1}}` (Core 5.5)."),
    ]) func `names in an explanation become code`(_ text: String, _ marked: String) {
        #expect(Paragraph.marked(text) == marked)
    }
}
