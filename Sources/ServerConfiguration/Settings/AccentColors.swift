/// What the pages of an app need beside its accent, so that everybody can read them and see the button, whatever the
/// accent is.
package struct AccentColors: Equatable, Sendable {
    /// The accent itself, on the button.
    package let button: PageColor
    /// The text on the button: white, or else black.
    package let ink: PageColor
    /// The line around the button: the accent, or the colour of the text if the button would not stand out.
    package let edge: PageColor
    /// Links: the accent, or the colour of the text if the accent cannot be read on the page.
    package let link: PageColor
    /// Signs, such as the tick: the accent, or the colour of the text if the sign could not be seen.
    package let mark: PageColor

    package init(_ accent: PageColor, on palette: PagePalette) {
        let white = PageColor(0xFFFFFF)
        func shown(on backgrounds: [PageColor], with contrast: Double) -> PageColor {
            backgrounds.allSatisfy { accent.contrast(to: $0) >= contrast } ? accent : palette.text
        }
        self.button = accent
        // One of them always has the contrast: their product is 21.
        self.ink = accent.contrast(to: white) >= PagePalette.textContrast ? white : PageColor(0)
        self.edge = shown(on: [palette.card], with: PagePalette.signContrast)
        self.link = shown(on: [palette.page, palette.card], with: PagePalette.textContrast)
        self.mark = self.edge
    }
}

/// The greys of `switchback.css` that stand next to an app's accent.
package struct PagePalette: Sendable {
    /// WCAG 2.2, 1.4.3, for text of a usual size.
    static let textContrast = 4.5
    /// WCAG 2.2, 1.4.11, for buttons and signs.
    static let signContrast = 3.0

    package static let light = PagePalette(page: 0xF6F6F6, card: 0xFFFFFF, text: 0x1C1C1C)
    package static let dark = PagePalette(page: 0x121212, card: 0x1E1E1E, text: 0xF0F0F0)

    package let page: PageColor
    package let card: PageColor
    package let text: PageColor

    private init(page: UInt32, card: UInt32, text: UInt32) {
        self.page = PageColor(page)
        self.card = PageColor(card)
        self.text = PageColor(text)
    }
}
