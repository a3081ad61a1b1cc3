import HTTPWire
import Sandbox
import Testing

/// What a choice of colours changes in pages and style sheets, and what it leaves as it is.
@Suite struct TabColorsTests {
    static let bodies: [(type: String, body: String, dark: String)] = [
        ("text/css; charset=utf-8", "@media (prefers-color-scheme: dark) { a {} }", "@media all { a {} }"),
        ("text/css", "@media (prefers-color-scheme: light) { a {} }", "@media not all { a {} }"),
        ("text/css", ":root { color-scheme: light dark; }", ":root { color-scheme: dark; }"),
        (
            "text/html; charset=utf-8", #"<link rel="stylesheet" href="/assets/switchback.css">"#,
            #"<link rel="stylesheet" href="/assets/switchback.css?dark">"#
        ),
        (
            "text/html", #"<meta name="color-scheme" content="light dark">"#,
            #"<meta name="color-scheme" content="dark">"#
        ),
        ("text/html", #"<source media="(prefers-color-scheme: dark)">"#, #"<source media="all">"#),
        ("text/html", "<p>Log in</p>", "<p>Log in</p>"),
        ("application/json", #"{"a": ".css"}"#, #"{"a": ".css"}"#),
    ]

    @Test(arguments: bodies) func `a body gets the chosen colours`(_ row: (type: String, body: String, dark: String)) {
        let response = Response(.ok, fields: [.contentType: row.type], body: Array(row.body.utf8))
        #expect(String(decoding: TabColors.changed(response, to: .dark).body, as: UTF8.self) == row.dark)
    }
}
