/// Tests that texts are readable in light and dark: WCAG 2.2, 1.4.3 (4.5 to 1), and graphics, 1.4.11 (3 to 1).
import Testing

@testable import LoginAPI

@Suite struct ContrastTests {
    /// Returns the colours of the style sheet by name; dark ones override.
    static func colours(dark: Bool) throws -> [String: String] {
        let style = try PublicFolder(HandlerBench.publicFolder).text(of: "assets/switchback.css")
        let halves = style.split(separator: "prefers-color-scheme: dark", maxSplits: 1).map(String.init)
        try #require(halves.count == 2)
        var colours: [String: String] = [:]
        for match in (halves[0] + (dark ? halves[1] : "")).matches(of: /--([a-z-]+): #([0-9a-f]{6});/) {
            colours[String(match.1)] = String(match.2)
        }
        return colours
    }

    /// Returns the relative luminance.
    static func luminance(_ colour: String) throws -> Double {
        let value = try #require(UInt32(colour, radix: 16))
        let parts = [value >> 16, value >> 8 & 0xFF, value & 0xFF].map { part -> Double in
            let share = Double(part) / 255
            // Close enough to the curve of sRGB for a test.
            return share <= 0.04045 ? share / 12.92 : Self.power((share + 0.055) / 1.055)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    /// Returns x to the power of 2.4, as `x² · x^(2/5)`; Newton's method finds the root.
    static func power(_ x: Double) -> Double {
        var root = x
        for _ in 0..<60 { root = (4 * root + x * x / (root * root * root * root)) / 5 }
        return x * x * root
    }

    static func contrast(_ a: String, _ b: String, dark: Bool) throws -> Double {
        let colours = try Self.colours(dark: dark)
        let (one, other) = (
            try Self.luminance(try #require(colours[a])), try Self.luminance(try #require(colours[b]))
        )
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    @Test(
        arguments: [
            ("ink", "card", 4.5), ("faint", "paper", 4.5), ("faint", "card", 4.5), ("ink", "paper", 4.5),
            ("button-ink", "button", 4.5),
            ("button", "card", 3.0), ("good", "card", 3.0), ("bad", "card", 3.0), ("calm", "card", 3.0),
        ], [false, true]) func canBeRead(_ pair: (String, String, Double), dark: Bool) throws
    {
        #expect(try Self.contrast(pair.0, pair.1, dark: dark) >= pair.2)
    }

    @Test func blackOnWhiteIsTheMost() throws {
        let (white, black) = (try Self.luminance("ffffff"), try Self.luminance("000000"))
        #expect(abs((white + 0.05) / (black + 0.05) - 21) < 0.01)
    }
}
