/// The claims of an ID token read by their types (Core 2); what a claim says is not judged here.
import JOSE

struct IDTokenClaims: Sendable {
    typealias Broken = IDTokenRules.Broken

    let all: JSON.Object

    func text(_ name: String) throws(Broken) -> String? {
        guard let value = self.all[name] else { return nil }
        guard let text = value.string else { throw .claimType }
        return text
    }

    /// One text, or a list of texts (RFC 7519 §4.1.3).
    func texts(_ name: String) throws(Broken) -> [String]? {
        guard let value = self.all[name] else { return nil }
        if let text = value.string { return [text] }
        let elements = value.array ?? []
        let texts = elements.compactMap(\.string)
        guard value.array != nil, texts.count == elements.count else { throw .claimType }
        return texts
    }

    /// A NumericDate (RFC 7519 §2), in whole seconds. Some providers write the number as a text.
    func time(_ name: String) throws(Broken) -> Timestamp? {
        guard let value = self.all[name] else { return nil }
        guard let number = value.number ?? value.string.flatMap(Self.number), let seconds = Self.wholeSeconds(number)
        else { throw .claimType }
        return Timestamp(seconds: seconds)
    }

    private static func number(_ text: String) -> Double? {
        guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Double(text)
    }

    /// Nil for what lies before 1970 or beyond any calendar.
    private static func wholeSeconds(_ number: Double) -> Int? {
        guard number >= 0, number < 1e12 else { return nil }
        return Int(exactly: number.rounded(.down))
    }
}
