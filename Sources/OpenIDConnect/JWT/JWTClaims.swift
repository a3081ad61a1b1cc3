/// The claims of a JWT read by their types (RFC 7519 §4.1, Core 2); what a claim says is not judged here.
import Base
import StrictJSON

struct JWTClaims<WrongType: Error>: Sendable {
    let all: JSON.Object
    /// For a claim that is of another JSON type than its definition says.
    let wrongType: WrongType

    func text(_ name: String) throws(WrongType) -> String? {
        switch self.all[name] {
        case nil: return nil
        case .string(let text)?: return text
        case _?: throw self.wrongType
        }
    }

    /// The first that is there; all that are there must be texts.
    func firstText(_ names: [String]) throws(WrongType) -> String? {
        var first: String?
        for name in names {
            let text = try self.text(name)
            first = first ?? text
        }
        return first
    }

    /// One text, or a list of texts (RFC 7519 §4.1.3).
    func texts(_ name: String) throws(WrongType) -> [String]? {
        switch self.all[name] {
        case nil: return nil
        case .string(let text)?: return [text]
        case .array(let elements)?:
            let texts = elements.compactMap(\.string)
            guard texts.count == elements.count else { throw self.wrongType }
            return texts
        case _?: throw self.wrongType
        }
    }

    /// A NumericDate, which is a number and never a text (RFC 7519 §2).
    func time(_ name: String) throws(WrongType) -> Timestamp? {
        guard let value = self.all[name] else { return nil }
        guard value.number != nil, let seconds = value.wholeSeconds else { throw self.wrongType }
        return Timestamp(seconds: seconds)
    }
}
