import Base
import ConfigurationSamples
import Testing

@testable import ServerConfiguration

/// Tests the look of apps: contrast as WCAG computes it, and logos that browsers can show.
@Suite struct LookTests {
    /// Figures from WCAG's own definition of relative luminance and contrast ratio, to two decimals.
    @Test(arguments: [
        ("#000000", "#ffffff", 21.0), ("#ffffff", "#FFFFFF", 1.0), ("#ff0000", "#ffffff", 3.998),
        ("#0000ff", "#ffffff", 8.592), ("#00ff00", "#ffffff", 1.372), ("#767676", "#ffffff", 4.542),
        ("#777777", "#ffffff", 4.478), ("#595959", "#ffffff", 7.005), ("#949494", "#ffffff", 3.033),
        ("#ff0000", "#000000", 5.252),
    ]) func `contrast is computed as WCAG says`(_ one: String, _ other: String, _ ratio: Double) throws {
        let (one, other) = (try #require(PageColor(one)), try #require(PageColor(other)))
        #expect(abs(one.contrast(to: other) - ratio) < 0.001 && one.contrast(to: other) == other.contrast(to: one))
    }

    private static func problems(_ look: String, _ files: [String: String] = [:]) -> [String] {
        let source = SampleConfiguration.source("name: Shop", "name: Shop\n    look: {\(look)}")
        var read = source.files
        let other = read
        read = FileAccess(
            read: { path throws(FileError) in
                guard let text = files[path] else { return try other.read(path) }
                return Array(text.utf8)
            }, isFolder: other.isFolder)
        return SampleConfiguration.problems(
            ConfigurationSource(name: source.name, yaml: source.yaml, environment: [:], flags: [], files: read))
    }

    @Test(arguments: [
        ("accent: \"#005a9c\"", nil), ("accent_dark: \"#7cc4ff\"", nil),
        ("accent: \"#e30613\"", nil), ("accent: \"#14532D\", accent_dark: \"#86EFAC\"", nil),
        (
            "accent: \"#FFD500\"",
            "look.accent: #ffd500 has a contrast of 1.32:1 to #f6f7f6, the page behind links. It must be at least 4.5:1 (WCAG 2.2, 1.4.3), so choose a darker colour"
        ),
        (
            "accent: \"#727272\"",
            "look.accent: #727272 has a contrast of 4.47:1 to #f6f7f6, the page behind links. It must be at least 4.5:1 (WCAG 2.2, 1.4.3), so choose a darker colour"
        ),
        (
            "accent_dark: \"#ff0000\"",
            "look.accent_dark: #ff0000 has a contrast of 4.11:1 to #0b2415, the text on the button. It must be at least 4.5:1 (WCAG 2.2, 1.4.3), so choose a lighter colour"
        ),
        ("accent: green", "look.accent: must be a colour with six hex digits, as in #14532d, not \"green\""),
        ("accent: \"#fff\"", "look.accent: must be a colour with six hex digits, as in #14532d, not \"#fff\""),
        ("accent: \"#12345g\"", "look.accent: must be a colour with six hex digits, as in #14532d, not \"#12345g\""),
        ("accent: \"#-12345\"", "look.accent: must be a colour with six hex digits, as in #14532d, not \"#-12345\""),
        ("support_url: https://shop.example/help", nil), ("support_url: mailto:help@shop.example", nil),
        (
            "support_url: \"javascript:alert(1)\"",
            "look.support_url: must be an https URL, or mailto: and an address, as in mailto:help@example.com, not \"javascript:alert(1)\""
        ),
        (
            "support_url: mailto:help",
            "look.support_url: must be an https URL, or mailto: and an address, as in mailto:help@example.com, not \"mailto:help\""
        ),
        (
            "support_url: \"mailto:a@b.example?bcc=c\"",
            "look.support_url: must be an https URL, or mailto: and an address, as in mailto:help@example.com, not \"mailto:a@b.example?bcc=c\""
        ),
        (
            "support_url: http://shop.example/",
            "look.support_url: must be an https URL, or mailto: and an address, as in mailto:help@example.com, not \"http://shop.example/\""
        ),
        ("logo_dark: secret", "look.logo_dark: secret: is neither an SVG with its namespace nor a PNG"),
        ("logo: none.svg", "look.logo: none.svg: No such file or directory"),
    ]) func `each wrong setting of a look is found`(_ look: String, _ problem: String?) {
        let found = Self.problems(look)
        guard let problem else { return #expect(found == []) }
        #expect(found.first == "s.yaml:12: apps.shop.\(problem)")
    }

    @Test func `a dark logo needs a light one`() {
        #expect(
            Self.problems("logo_dark: l.svg", ["l.svg": Self.svg("")]) == [
                "s.yaml:12: apps.shop.look.logo_dark: needs look.logo, which light pages show"
            ])
    }

    static func svg(_ content: String) -> String { "<svg xmlns=\"http://www.w3.org/2000/svg\">\(content)</svg>" }

    @Test(
        arguments: [
            (svg("<path d=\"M0 0\"/>"), nil), ("<?xml version=\"1.0\"?>\n<!-- x -->\(svg(""))", nil),
            (svg("<use href=\"#a\"/><image href='data:image/png;base64,AA=='/>"), nil),
            (svg("<style>path { fill: red }</style>"), nil),
            ("<svg></svg>", "is neither an SVG with its namespace nor a PNG"),
            ("GIF89a", "is neither an SVG with its namespace nor a PNG"),
            ("", "is neither an SVG with its namespace nor a PNG"),
            (svg("<SCRIPT>1</SCRIPT>"), "contains <script, which browsers ignore in a picture"),
            (
                "<!DOCTYPE svg [<!ENTITY a \"b\">]>\(svg("&a;"))",
                "contains <!entity, which browsers ignore in a picture"
            ),
            (svg("<foreignObject/>"), "contains <foreignobject, which browsers ignore in a picture"),
            (
                svg("<image xlink:href=\"https://cdn.example/a.png\"/>"),
                "refers to another file, which browsers do not load for a picture"
            ),
            (svg("<use href='sprite.svg#a'/>"), "refers to another file, which browsers do not load for a picture"),
            (svg(String(repeating: " ", count: 32 * 1024)), "has 32814 bytes, and a logo may have 32768"),
        ] as [(String, String?)]) func `each wrong logo is found`(_ text: String, _ problem: String?)
    {
        let found = Self.problems("logo: l.svg", ["l.svg": text])
        #expect(found == (problem.map { ["s.yaml:12: apps.shop.look.logo: l.svg: \($0)"] } ?? []))
    }

    @Test func `a PNG is a logo`() throws {
        let logo = try LogoFile([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0])
        #expect(logo.format == .png)
    }
}
