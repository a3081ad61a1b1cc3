#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A colour of the pages, and how well text in it can be read on another one (WCAG 2.2, 1.4.3).
package struct PageColor: Equatable, Sendable {
    /// As in `#14532d`.
    package let text: String
    private let parts: [UInt8]

    /// Nil unless it is `#` and six hex digits.
    package init?(_ text: String) {
        let digits = text.utf8.dropFirst()
        let isHex = digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
        guard text.hasPrefix("#"), digits.count == 6, isHex, let number = UInt32(text.dropFirst(), radix: 16) else {
            return nil
        }
        self.init(number)
    }

    /// Red, green and blue, as in `0x14532D`.
    init(_ number: UInt32) {
        let digits = String(number, radix: 16)
        self.text = "#" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        self.parts = [number >> 16, number >> 8, number].map { UInt8(truncatingIfNeeded: $0) }
    }

    /// The relative luminance: 0 is black, and 1 is white.
    package var luminance: Double {
        let light = self.parts.map { part -> Double in
            let share = Double(part) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
    }

    /// The contrast ratio, from 1 to 21.
    package func contrast(to other: PageColor) -> Double {
        let (one, two) = (self.luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }
}
