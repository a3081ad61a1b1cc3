import Testing

@testable import LoginAPI
@testable import ServerConfiguration

/// Tests that texts are readable in light and dark: WCAG 2.2, 1.4.3 (4.5 to 1), and graphics, 1.4.11 (3 to 1).
@Suite struct ContrastTests {
    /// Returns the colours of the style sheet by name; dark ones override.
    static func colours(dark: Bool) throws -> [String: String] {
        let style = try PublicFolder().text(of: "assets/switchback.css")
        let halves = style.split(separator: "prefers-color-scheme: dark", maxSplits: 1).map(String.init)
        try #require(halves.count == 2)
        var colours: [String: String] = [:]
        for match in (halves[0] + (dark ? halves[1] : "")).matches(of: /--([a-z-]+): #([0-9a-f]{6});/) {
            colours[String(match.1)] = String(match.2)
        }
        return colours
    }

    static func colour(_ name: String, dark: Bool) throws -> PageColor {
        let digits = try #require(try Self.colours(dark: dark)[name])
        return try #require(PageColor("#\(digits)"))
    }

    static func contrast(_ a: String, _ b: String, dark: Bool) throws -> Double {
        try Self.colour(a, dark: dark).contrast(to: try Self.colour(b, dark: dark))
    }

    @Test(
        arguments: [
            ("ink", "card", 4.5), ("faint", "paper", 4.5), ("faint", "card", 4.5), ("ink", "paper", 4.5),
            ("button-ink", "button", 4.5), ("link", "paper", 4.5), ("link", "card", 4.5),
            ("button-edge", "card", 3.0), ("mark", "card", 3.0), ("bad", "card", 3.0),
            ("calm", "card", 3.0),
        ], [false, true]) func `each text can be read on its background`(_ pair: (String, String, Double), dark: Bool)
        throws
    {
        #expect(try Self.contrast(pair.0, pair.1, dark: dark) >= pair.2)
    }

    /// The colours that an app's accent is compared with.
    @Test(arguments: [false, true]) func `the palette is that of the style sheet`(_ dark: Bool) throws {
        let palette = dark ? PagePalette.dark : PagePalette.light
        let colours = try ["paper", "card", "ink"].map { try Self.colour($0, dark: dark) }
        #expect([palette.page, palette.card, palette.text] == colours)
    }

    /// Nothing is green, or of any other hue, unless the app is. Red is for what went wrong.
    @Test(arguments: [false, true]) func `the usual colours are greys`(_ dark: Bool) throws {
        for (name, digits) in try Self.colours(dark: dark) where name != "bad" {
            let (red, green, blue) = (digits.prefix(2), digits.dropFirst(2).prefix(2), digits.suffix(2))
            #expect(red == green && green == blue, "\(name) is #\(digits)")
        }
        #expect(!(try PublicFolder().text(of: "assets/favicon.svg")).contains("14532d"))
    }
}
