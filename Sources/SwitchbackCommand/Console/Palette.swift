#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The colours of one output: those of a terminal, or none.
struct Palette: Equatable, Sendable {
    /// The number of a colour in ECMA-48.
    enum Colour: Int {
        case red = 31
        case green = 32
        case yellow = 33
    }

    private let isColoured: Bool

    /// NO_COLOR (https://no-color.org) wins over FORCE_COLOR and CLICOLOR_FORCE, and these over what the output is.
    init(isTerminal: Bool, _ variables: [String: String]) {
        func isSet(_ name: String) -> Bool { variables[name]?.isEmpty == false }
        let isForced = ["FORCE_COLOR", "CLICOLOR_FORCE"].contains { isSet($0) && variables[$0] != "0" }
        let showsColours = isTerminal && isSet("TERM") && variables["TERM"] != "dumb"
        self.isColoured = !isSet("NO_COLOR") && (isForced || showsColours)
    }

    init(descriptor: Int32) {
        self.init(isTerminal: isatty(descriptor) == 1, Environment.variables)
    }

    /// Returns the text, bold and in the colour.
    func text(_ text: String, _ colour: Colour) -> String {
        self.isColoured ? "\u{1b}[1;\(colour.rawValue)m\(text)\u{1b}[0m" : text
    }
}
