/// One way to log in at a foreign provider, and what that one knows of us.
import JOSE
import Switchback
import Testing

struct ForeignVariant: Sendable, CustomTestStringConvertible {
    enum Credentials: String, Sendable {
        case right
        /// The provider knows another secret, or another key.
        case wrong
    }

    var how: BrokerVariant
    var credentials = Credentials.right
    /// Tells apart those that are the same else.
    var suffix = ""

    var name: String {
        self.how.name + (self.credentials == .right ? "" : "_wrong") + (self.suffix.isEmpty ? "" : "_\(self.suffix)")
    }
    var testDescription: String { self.name }

    /// The provider that wants a fresh login by `prompt=login`; the one that is named like the variant, by `max_age`.
    var prompting: String { "\(self.name)_prompt" }

    var isSigning: Bool { self.how.authentication == "private_key_jwt" || self.how.requestObject == "signed" }

    /// Of letters that every way of writing HTTP Basic leaves alone: one provider decodes them, the other does not.
    static let secret = "a-secret-of-more-than-32-characters"

    /// Every variant but client_secret_post, which both know from the same code as client_secret_basic.
    static func all(for program: ForeignProvider.Program) -> [Self] {
        BrokerVariant.all
            .filter { $0.authentication != "client_secret_post" && program.responseModes.contains($0.responseMode) }
            .map { Self(how: $0) }
    }

    /// Where the provider knows another secret, or another key.
    static let refused = ["client_secret_basic", "private_key_jwt"].map {
        Self(how: BrokerVariant(authentication: $0), credentials: .wrong)
    }

    static let refusedRequest = Self(how: BrokerVariant(requestObject: "signed"), credentials: .wrong)

    /// For a person who logs in twice in one browser.
    static let twice = Self(how: .query, suffix: "twice")
    static let signedTwice = Self(how: BrokerVariant(requestObject: "signed"), suffix: "twice")

    /// Exactly one key: canaille takes the first, whatever the `kid`.
    var publicKeys: JWKSet {
        get throws {
            let keys = try SigningKeys()
            let isElliptic = self.how.signingAlgorithm == "ES256"
            let key =
                switch self.credentials {
                case .right: try PrivateKey(pem: Secret(isElliptic ? keys.es256 : keys.rs256))
                case .wrong: try PrivateKey.generate(isElliptic ? .p256 : .rsa(bits: 2048))
                }
            let signing = try #require(SigningKey(key, algorithm: isElliptic ? .es256 : .rs256))
            return JWKSet([signing.jwk])
        }
    }
}
