/// Why a broker did not get us an identity: what the app is told, and what only the log is told.
import OpenIDConnect

package struct BrokerError: Error, Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// It did not answer, or answered with something that is not OAuth: worth another try.
        case unavailable
        /// It was not asked: this process had no file descriptor left.
        case notAsked
        /// The person said no.
        case cancelled
        /// The person did not do it in the time that the broker gives.
        case expired
        /// It answered with an OAuth error.
        case refused
        /// The authorization response broke a rule.
        case invalidResponse
        /// The answer is to another login, or nobody can tell to which. It counts for nothing, and this login goes on.
        case foreign
        /// The token answer, the ID token or the userinfo broke a rule.
        case invalidToken
        /// The person did not authenticate for this login.
        case notFresh
        /// The level of assurance is not the one that was asked for.
        case assuranceTooLow
    }

    package let kind: Kind
    /// Which rule or error it was, in our own closed words, as logs have them: snake_case. Never the broker's text, never a
    /// secret.
    package let detail: String

    package init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = Self.snakeCased(detail)
    }

    /// The one translation of a broker that gave no answer. `question` is what it was asked.
    init(_ error: FetchError, asking question: String) {
        self.init(Self.kind(of: error), "\(question)_\(error.raw)")
    }

    /// Without a file descriptor of ours nothing was asked, and that is no fault of the broker's.
    static func kind(of error: FetchError) -> Kind {
        if case .noDescriptors = error { .notAsked } else { .unavailable }
    }

    /// Whether the broker said nothing at all, so that the same question may be asked again.
    package var isUnreachable: Bool { self.kind == .unavailable || self.kind == .notAsked }

    /// The names of rules are those of Swift's cases: `unknownKey` is logged as `unknown_key`.
    private static func snakeCased(_ word: String) -> String {
        guard word.utf8.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else { return word }
        return word.reduce(into: "") { text, letter in
            text += letter.isUppercase ? "_\(letter.lowercased())" : String(letter)
        }
    }
}

extension BrokerError: CustomStringConvertible {
    package var description: String {
        let advice =
            switch self.kind {
            case .unavailable: "the broker did not answer as it should: see whether it is reached, and its status"
            case .notAsked: "the broker was not asked, for want of a file descriptor: raise the limit of the process"
            case .cancelled: "the person said no"
            case .expired: "the person was not done in time: a new login may work"
            case .refused: "the broker refused: see what is registered there"
            case .invalidResponse: "the broker's redirect broke a rule: see the settings of this broker"
            case .foreign: "the answer is to another login, and was ignored"
            case .invalidToken: "the broker's token broke a rule: see the settings of this broker"
            case .notFresh: "the person did not log in anew: a new login may work"
            case .assuranceTooLow: "the person showed too little: see what the provider demands"
            }
        return "\(self.detail): \(advice)"
    }
}
