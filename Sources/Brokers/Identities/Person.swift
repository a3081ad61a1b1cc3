/// Identifies a person independently of the broker: several brokers assert this value in a namespace that they share.
import Base
import OpenIDConnect
import StrictJSON

package struct Person: Equatable, Sendable {
    /// As configured: letters, digits and underscores, so that it is never an issuer, which is a URL.
    package let namespace: String
    package let value: String

    package init(namespace: String, value: String) {
        self.namespace = namespace
        self.value = value
    }

    /// Where a provider's broker names the person.
    package struct Rule: Equatable, Sendable {
        package let namespace: String
        package let claim: String

        package init(namespace: String, claim: String) {
            self.namespace = namespace
            self.claim = claim
        }
    }

    /// As for a `sub` (Core 2).
    private static let longestValue = 255

    /// The person, by the claim in each answer of the broker. Fails when no answer has it, when it is anything but a text
    /// that is not empty, or when two answers differ: an account must not depend on which one is asked.
    init(_ rule: Rule, in answers: [JSON?]) throws(BrokerError) {
        let claims = answers.compactMap { $0?[rule.claim] }
        guard let first = claims.first else { throw BrokerError(.invalidToken, "person_missing") }
        guard let value = first.string, 1...Self.longestValue ~= value.utf8.count else {
            throw BrokerError(.invalidToken, "person_malformed")
        }
        guard claims.allSatisfy({ $0.string.map { identical($0, value) } ?? false }) else {
            throw BrokerError(.invalidToken, "person_ambiguous")
        }
        self.init(namespace: rule.namespace, value: value)
    }
}

/// It is about a person.
extension Person: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "Person" }
    package var debugDescription: String { "Person" }
}
