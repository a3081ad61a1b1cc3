// Kinds of ASCII bytes, as the grammars of RFC 3986 and RFC 6749 name them.

import Base

extension UInt8 {
    var isDigit: Bool { (0x30...0x39).contains(self) }

    var isLetter: Bool { (0x41...0x5a).contains(self) || (0x61...0x7a).contains(self) }

    var isHexDigit: Bool { self.isDigit || (0x41...0x46).contains(self) || (0x61...0x66).contains(self) }

    /// RFC 3986 §2.3.
    var isUnreserved: Bool {
        self.isLetter || self.isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
            || self == UInt8(ascii: "_") || self == UInt8(ascii: "~")
    }

    /// VSCHAR of RFC 6749 appendix A: visible, or a space.
    var isVisibleOrSpace: Bool { (0x20...0x7e).contains(self) }

    /// NQSCHAR of RFC 6749 appendix A: the same without the quotation mark and the backslash.
    var isUnquotedText: Bool { self.isVisibleOrSpace && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\") }
}

extension String {
    /// Whether every byte is a VSCHAR.
    var isVisibleOrSpace: Bool { self.withBytes { $0.allSatisfy(\.isVisibleOrSpace) } }
}
