import KeyFiles

/// An OpenID provider whose habits we know: the settings that make it work, or why none does.
///
/// `switchback init --broker oidc` writes these settings, and docs/how-to/providers.md shows them. Tests/ProviderHabits
/// has the habits, and a test plays each provider with the configuration that `init` writes for it.
struct KnownProvider: Sendable {
    /// What a customer has to find out about the issuer.
    enum Issuer: Sendable {
        /// All customers have this one.
        case same(String)
        /// Each customer has another one, of this form.
        case own(String)
    }

    /// How the provider lets us prove that a user has authenticated for this very login.
    enum Freshness: Sendable {
        /// It sends `auth_time`, at least when asked, and heeds `prompt=login`.
        case proved
        /// It sends `auth_time`, and heeds `max_age` but not `prompt=login`.
        case recent
        /// It does not send `auth_time`, or not for this login. Then `prompt` and `max_age` would refuse every login.
        case unproved
    }

    /// Where its documentation fits.
    enum Group: String, CaseIterable, Sendable {
        case services = "Identity services"
        case software = "Software that you run yourself"
        case accounts = "Accounts of the public"
        case eIDs = "National and government e-IDs"
    }

    /// A setting of the broker or the provider, as in the configuration.
    struct Line: Sendable {
        let name: String
        let value: String
        /// A comment above it: one line without `#`.
        var reason: String?
    }

    /// The name for `--provider`.
    let name: String
    let title: String
    let group: Group
    let issuer: Issuer
    var freshness = Freshness.unproved
    /// Empty when the provider's usual scopes are `openid profile`.
    var scope: [String] = []
    /// The broker's settings besides the ones that `init` asks for.
    var broker: [Line] = []
    /// The provider's settings besides its scope and `prompt`.
    var provider: [Line] = []
    /// Whether a client secret authenticates us. Otherwise a key of this server does.
    var hasSecret = true
    /// The key that authenticates us, if there is no secret.
    var signingKey = KeyGenerator.Kind.es256
    /// What to do at the provider, and what to know: one sentence or more each.
    var advice: [String] = []
    /// Why no configuration works, as the end of a sentence; nil when one does.
    var refusal: String?
    /// The public pages that describe the habits.
    let sources: [String]

    /// What an operator who chooses no provider gets.
    static let other = "other"

    static let all = Self.services + Self.software + Self.accounts + Self.eIDs

    static func named(_ name: String?) -> Self? { Self.all.first { $0.name == name } }

    /// The names for `--provider`, `other` included.
    static let choices = Self.all.map(\.name) + [Self.other]

    /// An issuer that the provider's customers could have.
    var exampleIssuer: String {
        switch self.issuer {
        case .same(let issuer), .own(let issuer): issuer
        }
    }

    /// Nil when each customer has another one.
    var fixedIssuer: String? {
        if case .same(let issuer) = self.issuer { issuer } else { nil }
    }

    /// The scope as it is written, with the default where the provider has none of its own.
    var scopeList: [String] { self.scope.isEmpty ? ["openid", "profile"] : self.scope }
}

extension KnownProvider.Line {
    init(_ name: String, _ value: String, _ reason: String? = nil) {
        self.init(name: name, value: value, reason: reason)
    }

    /// The lines of YAML, with this indentation.
    func yaml(_ indentation: String) -> String {
        (self.reason.map { "\(indentation)# \($0)\n" } ?? "") + "\(indentation)\(self.name): \(self.value)\n"
    }
}

// MARK: - Settings that many providers have

extension KnownProvider.Line {
    /// The secret goes into the body, where no encoding of special characters is disputed.
    static let post = Self("client_authentication", "client_secret_post")

    static func hosts(_ hosts: String...) -> Self {
        Self("hosts", "[\(hosts.joined(separator: ", "))]", "Its endpoints are on these hosts too.")
    }

    static let pushed = Self("request_style", "par")
    static let plain = Self("request_style", "plain")
    /// The provider offers several algorithms, and signs for us with this one.
    static let rs256 = Self("id_token_algorithms", "[RS256]")
    static let signedUserinfo = Self("userinfo_format", "signed", "Its userinfo is a signed JWT.")
}
