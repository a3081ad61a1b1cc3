import Testing

@testable import SwitchbackUI

/// How buttons look, and that everybody can read them.
@Suite struct EIDButtonStyleTests {
    private typealias Color = EIDButtonStyle.Color

    /// The e-ID, whether the screen is dark, the background and the text.
    static let rows: [(eid: String, isDark: Bool, background: UInt32, text: UInt32)] = [
        ("mitid", false, 0x0060E6, 0xFFFFFF), ("mitid", true, 0x0060E6, 0xFFFFFF),
        ("no_bankid", false, 0x39134C, 0xFFFFFF), ("no_bankid", true, 0xF6F6F9, 0x39134C),
        ("of_a_later_server", false, 0x1C1C1E, 0xFFFFFF), ("", true, 0xFFFFFF, 0x1C1C1E),
    ]

    @Test("each e-ID has its colours, a readable text, and a button that a finger hits", arguments: rows.indices)
    func eachHasItsColours(_ index: Int) {
        let row = Self.rows[index]
        let style = EIDButtonStyle(eid: row.eid, isDark: row.isDark, isEnabled: true)
        #expect(style.background == Color(row.background) && style.text == Color(row.text))
        // WCAG 2.2, 1.4.3.
        #expect(style.background.contrast(to: style.text) >= 4.5)
        #expect(style.minimumHeight >= 44)
        #expect(style.opacity == 1)
        // A button that does nothing looks so, and is as large and where it was.
        var off = EIDButtonStyle(eid: row.eid, isDark: row.isDark, isEnabled: false)
        #expect(off.opacity < 0.5)
        off.opacity = 1
        #expect(off == style)
    }

    /// Two colours and their contrast, as the formula's page has it.
    static let contrasts: [(one: UInt32, other: UInt32, contrast: Double)] = [
        (0x000000, 0xFFFFFF, 21), (0xFFFFFF, 0xFFFFFF, 1), (0x777777, 0xFFFFFF, 4.48), (0xFF0000, 0xFFFFFF, 4.0),
        (0x0000FF, 0x000000, 2.44),
    ]

    @Test("the contrast is that of the standard, in both directions", arguments: contrasts.indices)
    func theContrast(_ index: Int) {
        let row = Self.contrasts[index]
        for (one, other) in [(row.one, row.other), (row.other, row.one)] {
            #expect(abs(Color(one).contrast(to: Color(other)) - row.contrast) < 0.01)
        }
    }
}
