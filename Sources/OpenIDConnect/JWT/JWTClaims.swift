import Base
import StrictJSON

/// The claims of a provider's JWT, read by their types (RFC 7519 §4.1, Core 2). Their values are not validated here.
///
/// A claim that is `null` counts as absent: authentik writes `c_hash: null`. So a required one is then missing.
struct JWTClaims<WrongType: Error>: Sendable {
    let all: JSON.Object
    /// The error for a claim that does not have the JSON type of its definition.
    let wrongType: WrongType

    func text(_ name: String) throws(WrongType) -> String? {
        switch self.all[name] {
        case nil, .null?: return nil
        case .string(let text)?: return text
        case _?: throw self.wrongType
        }
    }

    /// Returns the first claim that is present. All that are present must be strings.
    func firstText(_ names: [String]) throws(WrongType) -> String? {
        var first: String?
        for name in names {
            let text = try self.text(name)
            first = first ?? text
        }
        return first
    }

    /// Reads one string, or a list of strings (RFC 7519 §4.1.3).
    func texts(_ name: String) throws(WrongType) -> [String]? {
        switch self.all[name] {
        case nil, .null?: return nil
        case .string(let text)?: return [text]
        case .array(let elements)?:
            let texts = elements.compactMap(\.string)
            guard texts.count == elements.count else { throw self.wrongType }
            return texts
        case _?: throw self.wrongType
        }
    }

    /// Reads a NumericDate, which is a number and never a string (RFC 7519 §2).
    func time(_ name: String) throws(WrongType) -> Timestamp? {
        guard let value = self.all[name], !value.isNull else { return nil }
        guard value.number != nil, let seconds = value.wholeSeconds else { throw self.wrongType }
        return Timestamp(seconds: seconds)
    }
}
