/// HTML under construction. Interpolated text is escaped; interpolated markup is not.
struct Markup: Sendable {
    var text: String

    static func escaped(_ text: String) -> String {
        var out = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            default: out.unicodeScalars.append(character)
            }
        }
        return out
    }
}

extension Markup: ExpressibleByStringInterpolation {
    init(stringLiteral text: String) { self.text = text }
    init(stringInterpolation: StringInterpolation) { self.text = stringInterpolation.text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { self.text.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: String) { self.text += literal }
        mutating func appendInterpolation(_ text: String) { self.text += Markup.escaped(text) }
        mutating func appendInterpolation(_ markup: Markup) { self.text += markup.text }
        mutating func appendInterpolation(_ parts: [Markup]) { for part in parts { self.text += part.text } }
    }
}
