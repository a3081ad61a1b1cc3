import Foundation

/// How the button of an e-ID looks: its colours, and how large it is at least.
///
/// Where an e-ID publishes rules for its button, these are its own. Every other button is dark on light, or the other
/// way round on a dark screen.
struct EIDButtonStyle: Hashable, Sendable {
    /// An sRGB colour.
    struct Color: Hashable, Sendable {
        let red: Double
        let green: Double
        let blue: Double

        /// `0x0060E6`, as design manuals write it.
        init(_ code: UInt32) {
            func part(_ shift: UInt32) -> Double { Double((code >> shift) & 0xFF) / 255 }
            (self.red, self.green, self.blue) = (part(16), part(8), part(0))
        }

        /// How light it is, from 0 to 1 (WCAG 2.2, relative luminance).
        private var luminance: Double {
            func linear(_ value: Double) -> Double {
                value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * linear(self.red) + 0.7152 * linear(self.green) + 0.0722 * linear(self.blue)
        }

        /// The contrast of two colours, from 1 to 21 (WCAG 2.2).
        func contrast(to other: Color) -> Double {
            let (one, two) = (self.luminance + 0.05, other.luminance + 0.05)
            return max(one, two) / min(one, two)
        }
    }

    var background: Color
    var text: Color
    /// In points. Apple wants 44 of everything that is touched.
    var minimumHeight = 48.0
    var cornerRadius = 8.0
    /// A provider that is switched off has a pale button.
    var opacity: Double

    /// `eid` is what the server calls the e-ID.
    init(eid: String, isDark: Bool, isEnabled: Bool) {
        self.opacity = isEnabled ? 1 : 0.4
        switch eid {
        // Blue with white, on every screen: https://docs.criipto.com/eid-specifics/mitid-ux-reqs
        case "mitid": (self.background, self.text) = (Color(0x0060E6), Color(0xFFFFFF))
        // Purple with white, the other way round on dark screens, 48 high: https://bankid.no/en/company/design-manual-buttons
        case "no_bankid", "bankid-no":
            (self.background, self.text) =
                isDark ? (Color(0xF6F6F9), Color(0x39134C)) : (Color(0x39134C), Color(0xFFFFFF))
        default:
            (self.background, self.text) =
                isDark ? (Color(0xFFFFFF), Color(0x1C1C1E)) : (Color(0x1C1C1E), Color(0xFFFFFF))
        }
    }
}
