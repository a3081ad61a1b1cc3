import StrictJSON

/// A provider: a broker, what we request from it, and how apps show it.
package struct Provider: Sendable {
    /// When we make the authorize request.
    package enum Authorize: String, CaseIterable, Sendable {
        /// When a browser opens our own `/go` link. Each authorization attempt makes its own request.
        case go
        /// When the app creates the login. The response contains the broker's URL itself.
        case direct
    }

    /// How the user gets to the e-ID.
    package enum Flow: String, CaseIterable, Sendable {
        /// Through a browser, which brings the response.
        case browser
        /// By a link that opens the e-ID's app, without a browser.
        case launchLinks = "launch_links"
        /// The same, but the broker gets the address of the user's device.
        case headless
        /// Through a browser, but we poll the broker for the response.
        case ciba
        /// By a link that opens the e-ID's app, which passes an artifact to ours.
        case artifact

        /// The flows that a configuration can choose. `artifact` is the only flow of its broker.
        package static let choices: [Self] = [.browser, .launchLinks, .headless, .ciba]

        /// Whether it gives the app nothing to show that an attacker who started the login would not have too.
        package var showsNothing: Bool {
            switch self {
            case .launchLinks, .headless: true
            case .browser, .ciba, .artifact: false
            }
        }
    }

    /// The claim with a user's national id, and the type of that id.
    package struct NationalIDRule: Sendable {
        package let claim: String
        package let type: String

        package init(claim: String, type: String) {
            self.claim = claim
            self.type = type
        }
    }

    package let id: String
    package let brokerID: String
    /// Display names by language, at least one.
    package var names: [String: String]
    /// False while it is switched off: no login begins with it, and those that have begun go on.
    package var isEnabled = true
    /// What users are told by language while it is switched off, in the operator's words; empty for ours.
    package var notices: [String: String] = [:]
    package var countries: [String] = []
    package var scope = ["openid", "profile"]
    /// Requested, and then required in the response (Core 3.1.2.1, `acr`).
    package var acrValues: [String] = []
    /// `login` is also verified: the `auth_time` must not be before the start of the authorization attempt.
    package var prompt: String?
    /// Seconds; verified against `auth_time` (Core 3.1.3.7, 13).
    package var maxAge: Int?
    /// Individual claims to request (Core 5.5).
    package var claimsRequest: JSON.Object?
    package var usesUserInfo = true
    /// How long after the callback a code may be exchanged again, if the process that exchanged it was killed.
    package var codeLifetime = Duration.seconds(60)
    package var authorize = Authorize.go
    package var flow = Flow.browser
    /// Names of the broker's own claims that the app gets.
    package var claims: [String] = []
    /// The e-ID's own name, if it is not the provider's.
    package var eid: String?
    /// How an app finds out whether the e-ID's own app is on the phone.
    package var eidApp = EIDApp()
    /// Where users get that app.
    package var download = EIDAppDownload()
    /// What apps may open its links in, the best first.
    package var surfaces: [AuthorizationContext.Surface] = [.authSession, .tab, .system]
    /// Whether an auth session should share no cookies with the browser.
    package var isEphemeral = false
    /// A picture for the login button: an https URL, or the name of a file in `assets`. The operator supplies it; none
    /// is built in.
    package var logo: String?
    /// The level of an ID token whose `acr` names none.
    package var assurance = Assurance.none
    /// The minimum level; `.none` accepts any.
    package var minimumAssurance = Assurance.none
    /// Values of `amr`, of which one must have been used (Core 2); empty accepts any.
    package var methods: Set<String> = []
    /// Nil if no national id is passed on.
    package var nationalID: NationalIDRule?
    /// Nil if the broker's `iss` and `sub` identify the user.
    package var person: Person.Rule?
    /// Names of authorize parameters that an app may set.
    package var parameters: Set<String> = []
    /// What only the kind of its broker reads.
    package var options: any ProviderOptions = NoOptions()

    package init(id: String, brokerID: String, names: [String: String]) {
        self.id = id
        self.brokerID = brokerID
        self.names = names
    }

    /// True if an app opens the e-ID's app itself. The response to its create then contains the link.
    package var opensApp: Bool {
        switch self.flow {
        case .browser, .ciba: false
        case .launchLinks, .headless, .artifact: true
        }
    }

    /// True if the user must have authenticated for this very login.
    package var demandsFreshLogin: Bool {
        self.prompt?.split(separator: " ").contains("login") ?? false
    }

    /// True if the ID token must say when the user authenticated.
    package var demandsAuthTime: Bool { self.demandsFreshLogin || self.maxAge != nil }
}

// MARK: - Requirements on the identity, whatever the broker

extension Provider {
    /// Throws if the identity does not meet the provider's requirements.
    func check(_ identity: Identity) throws(BrokerError) {
        guard identity.assurance >= self.minimumAssurance else {
            throw BrokerError(.assuranceTooLow, .assurance(identity.assurance))
        }
        guard self.methods.isEmpty || !self.methods.isDisjoint(with: identity.methods) else {
            throw BrokerError(.assuranceTooLow, .amr)
        }
    }

    /// The country of its users, if there is only one.
    var onlyCountry: String? { self.countries.count == 1 ? self.countries.first : nil }
}

// MARK: - Platforms, and operating systems for web pages

extension Provider {
    package var platforms: [AuthorizationContext.Platform] {
        switch self.flow {
        case .browser, .ciba, .launchLinks, .headless: [.ios, .android, .web]
        // DigiD's app passes its artifact to an app, by a link of that app.
        case .artifact: [.ios, .android]
        }
    }

    /// The operating systems on which a web page can use it, as named in the request's `os`. Nil means all, and also
    /// requests that name none.
    package var webSystems: [AuthorizationContext.Platform]? {
        switch self.flow {
        case .browser, .ciba: nil
        // The link opens an app on the phone that shows the page.
        case .launchLinks, .headless: [.ios, .android]
        case .artifact: []
        }
    }

    /// Returns what to open links in, the best first, for an app that prefers `surface`.
    package func surfaces(on platform: AuthorizationContext.Platform?, wanted surface: AuthorizationContext.Surface?)
        -> [AuthorizationContext.Surface]
    {
        // A web page runs in a browser, so it can use no other surface.
        guard platform != .web else { return [.system] }
        guard let surface, self.surfaces.contains(surface) else { return self.surfaces }
        return [surface] + self.surfaces.filter { $0 != surface }
    }
}
