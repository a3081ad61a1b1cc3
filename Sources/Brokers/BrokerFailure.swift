/// Why a broker did not get us an identity: what the app is told, and what only the log is told.
package struct BrokerFailure: Error, Equatable, Sendable {
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

    /// The names of rules are those of Swift's cases: `unknownKey` is logged as `unknown_key`.
    private static func snakeCased(_ word: String) -> String {
        guard word.utf8.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else { return word }
        return word.reduce(into: "") { text, letter in
            text += letter.isUppercase ? "_\(letter.lowercased())" : String(letter)
        }
    }
}
