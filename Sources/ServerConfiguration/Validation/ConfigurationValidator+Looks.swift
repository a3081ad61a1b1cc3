// The rules for the look of apps: everyone must be able to read the pages.

extension ConfigurationValidator {
    mutating func checkLook(of app: SettingScope) {
        self.checkContrast(of: app, "look.accent", .light)
        self.checkContrast(of: app, "look.accent_dark", .dark)
        if app.text("look.logo_dark") != nil, app.text("look.logo") == nil {
            self.report(app, "look.logo_dark", "needs look.logo, which light pages show")
        }
    }

    private mutating func checkContrast(of app: SettingScope, _ name: String, _ palette: PagePalette) {
        guard let accent = app.text(name).flatMap({ PageColor($0) }),
            let worst = palette.neighbours.min(by: { accent.contrast(to: $0.color) < accent.contrast(to: $1.color) })
        else { return }
        let contrast = accent.contrast(to: worst.color)
        guard contrast < PagePalette.leastContrast else { return }
        // Rounded down, so that 4.499 is not said to be 4.5.
        let hundredths = Int(contrast * 100)
        let decimals = hundredths % 100 < 10 ? "0\(hundredths % 100)" : "\(hundredths % 100)"
        self.report(
            app, name,
            "\(accent.text) has a contrast of \(hundredths / 100).\(decimals):1 to \(worst.color.text), \(worst.use). It must be at least 4.5:1 (WCAG 2.2, 1.4.3), so choose a \(palette.advice) colour"
        )
    }
}

/// The colours of `switchback.css` that stand next to an app's accent.
struct PagePalette: Sendable {
    struct Neighbour: Sendable {
        let color: PageColor
        let use: String
    }

    /// WCAG 2.2, 1.4.3, for text of a usual size.
    static let leastContrast = 4.5

    static let light = PagePalette(text: "#ffffff", page: "#f6f7f6", advice: "darker")
    static let dark = PagePalette(text: "#0b2415", page: "#101512", advice: "lighter")

    let neighbours: [Neighbour]
    let advice: String

    private init(text: String, page: String, advice: String) {
        let uses = [(text, "the text on the button"), (page, "the page behind links")]
        self.neighbours = uses.compactMap { color, use in PageColor(color).map { Neighbour(color: $0, use: use) } }
        self.advice = advice
    }
}
