import Base
import OpenIDConnect
import StrictJSON

/// Identifies a person independently of the broker: several brokers assert this value in a shared namespace.
package struct Person: Equatable, Sendable {
    /// Letters, digits and underscores, as configured. So it never equals an issuer, which is a URL.
    package let namespace: String
    /// The claim's value, or its name under a `PersonKey` where the values are national numbers.
    package let value: String

    package init(namespace: String, value: String) {
        self.namespace = namespace
        self.value = value
    }

    /// The claim in which a provider's broker names the person.
    package struct Rule: Equatable, Sendable {
        package let namespace: String
        package let claim: String
        /// Nil unless the values of the namespace are national numbers.
        package let key: PersonKey?

        package init(namespace: String, claim: String, key: PersonKey? = nil) {
            self.namespace = namespace
            self.claim = claim
            self.key = key
        }

        /// Returns the broker's subject, without the number if it is the one that names the person: assertions contain
        /// it too.
        func subject(_ subject: String, of person: Person?) -> String {
            guard let key, let person, key.name(subject, in: self.namespace) == person.value else { return subject }
            return person.value
        }
    }

    /// In bytes, as for a `sub` (Core 2).
    private static let longestValue = 255

    /// Reads the person from the claim in each response of the broker. Throws if no response has it, if it is not a
    /// non-empty text, or if two responses differ: an account must not depend on which of them is read.
    init(_ rule: Rule, in answers: [JSON?]) throws(BrokerError) {
        let claims = answers.compactMap { $0?[rule.claim] }.filter { !$0.isNull }
        guard let first = claims.first else { throw BrokerError(.invalidToken, .personMissing) }
        guard let value = first.string, 1...Self.longestValue ~= value.utf8.count else {
            throw BrokerError(.invalidToken, .personMalformed)
        }
        guard claims.allSatisfy({ $0.string.map { identical($0, value) } ?? false }) else {
            throw BrokerError(.invalidToken, .personAmbiguous)
        }
        self.init(
            namespace: rule.namespace, value: rule.key.map { $0.name(value, in: rule.namespace) } ?? value)
    }
}

/// Hides personal data.
extension Person: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "Person" }
    package var debugDescription: String { "Person" }
}
