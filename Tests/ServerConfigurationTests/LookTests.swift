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
        ("accent: \"#FFD500\"", nil), ("accent: \"#ffffff\", accent_dark: \"#000000\"", nil),
        ("radius: 0", nil), ("radius: 28", nil), ("show_name: true", nil),
        ("radius: 29", "look.radius: must be a whole number from 0 to 28, not \"29\""),
        (
            "show_name: false",
            "look.show_name: needs look.logo: without name and logo nobody knows whose page it is"
        ),
        ("font: secret", "look.font: secret: is no WOFF2 font"),
        ("icon: secret", "look.icon: secret: is neither an SVG with its namespace nor a PNG"),
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

    private static let shades: [UInt32] = [0, 0x33, 0x66, 0x77, 0x99, 0xCC, 0xFF]
    static let accents = shades.flatMap { red in
        shades.flatMap { green in shades.map { blue in red << 16 | green << 8 | blue } }
    }

    /// Whatever an app's accent is: text has 4.5:1, and buttons and signs have 3:1.
    @Test(arguments: [PagePalette.light, .dark]) func `every accent gives pages that can be read`(
        _ palette: PagePalette
    ) {
        for number in Self.accents {
            let accent = PageColor(number)
            let colors = AccentColors(accent, on: palette)
            #expect(colors.button == accent, "a brand keeps its colour")
            #expect(colors.ink.contrast(to: colors.button) >= 4.5, "\(accent.text)")
            #expect(colors.edge.contrast(to: palette.card) >= 3 && colors.mark.contrast(to: palette.card) >= 3)
            #expect(colors.link.contrast(to: palette.page) >= 4.5 && colors.link.contrast(to: palette.card) >= 4.5)
        }
    }

    @Test(
        arguments: [
            ("#c8102e", "#ffffff", "#c8102e", "#c8102e", "#f0f0f0", "#f0f0f0"),
            ("#ffffff", "#000000", "#1c1c1c", "#1c1c1c", "#ffffff", "#ffffff"),
            ("#ffd500", "#000000", "#1c1c1c", "#1c1c1c", "#ffd500", "#ffd500"),
            ("#000000", "#ffffff", "#000000", "#000000", "#f0f0f0", "#f0f0f0"),
            ("#808080", "#000000", "#808080", "#1c1c1c", "#808080", "#f0f0f0"),
        ]) func `ink, edge and link are computed`(
            _ accent: String, _ ink: String, _ edge: String, _ link: String, _ darkEdge: String, _ darkLink: String
        ) throws
    {
        let color = try #require(PageColor(accent))
        let (light, dark) = (AccentColors(color, on: .light), AccentColors(color, on: .dark))
        #expect([light.ink.text, light.edge.text, light.link.text] == [ink, edge, link])
        #expect([dark.ink.text, dark.edge.text, dark.link.text] == [ink, darkEdge, darkLink])
    }

    @Test(arguments: [(0, nil), (96 * 1024 - 4, nil), (96 * 1024 - 3, "has 98305 bytes")] as [(Int, String?)])
    func `a font is WOFF2 and small`(_ more: Int, _ problem: String?) {
        let bytes = Array("wOF2".utf8) + [UInt8](repeating: 0, count: more)
        do {
            #expect(try FontFile(bytes).bytes == bytes && problem == nil)
        } catch {
            #expect(problem.map { error.message.hasPrefix($0) } == true)
        }
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
