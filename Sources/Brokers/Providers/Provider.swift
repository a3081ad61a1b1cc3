/// What one login button is: a broker, what is asked of it, and how it is shown.
import StrictJSON

package struct Provider: Sendable {
    /// When the authorize request is made.
    package enum Authorize: String, Sendable {
        /// When a browser opens our own `/go` link: each opening makes its own request.
        case go
        /// When the app creates the login: the answer holds the broker's URL itself.
        case direct
    }

    /// How the person gets to the e-ID.
    package enum Flow: String, CaseIterable, Sendable {
        /// By a browser, which brings the answer.
        case browser
        /// Idura: by a link that opens the e-ID's app; no browser at all.
        case launchLinks = "launch_links"
        /// Idura: the same, and the broker is told the address of the person's device.
        case headless
        /// Signaturgruppen: by a browser, and the broker is asked for the answer.
        case ciba
        /// DigiD: by a link that opens its app, which hands an artifact to ours.
        case artifact

        /// Those that a configuration chooses; the other is its broker's only one.
        package static let choices: [Self] = [.browser, .launchLinks, .headless, .ciba]
    }

    /// Where a broker writes a person's national id, and which one that is.
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
    package var countries: [String] = []
    package var scope = ["openid", "profile"]
    /// Asked for, and then required of the answer (Core 3.1.2.1, `acr`).
    package var acrValues: [String] = []
    /// `login` is also verified: the `auth_time` must not lie before the opening.
    package var prompt: String?
    /// Seconds; verified against `auth_time` (Core 3.1.3.7, 13).
    package var maxAge: Int?
    /// Single claims that are asked for (Core 5.5).
    package var claimsRequest: JSON.Object?
    package var usesUserInfo = true
    /// How long after the callback a code may be redeemed once more, when the process was killed that did it first.
    package var codeLifetime = Duration.seconds(60)
    package var authorize = Authorize.go
    package var flow = Flow.browser
    /// Names of the broker's own claims that the app gets.
    package var claims: [String] = []
    /// The e-ID's own name, where it is not the provider's.
    package var eid: String?
    /// By what an app sees whether the e-ID's own app is on the phone.
    package var eidApp = EIDApp()
    /// Where that app is to be had.
    package var download = EIDAppDownload()
    /// What apps may open its links in, the best first.
    package var surfaces: [Visit.Surface] = [.authSession, .tab, .system]
    /// Whether an auth session should share no cookies with the browser.
    package var isEphemeral = false
    /// A picture for the button: an https URL, or the name of a file in `assets`. The operator's; none is built in.
    package var logo: String?
    /// What an ID token means whose `acr` names no level.
    package var assurance = Assurance.none
    /// What the person must at least have shown; `.none` takes any.
    package var minimumAssurance = Assurance.none
    /// Signaturgruppen: the same for the authentication (`aal`) and the identification (`ial`) by themselves.
    package var minimumAuthenticationAssurance = Assurance.none
    package var minimumIdentityAssurance = Assurance.none
    /// Values of `amr` of which one must have been used (Core 2); empty takes any.
    package var methods: Set<String> = []
    /// Signaturgruppen: the e-IDs that may be used, the best first.
    package var idpValues: [String] = []
    /// Signaturgruppen: what the e-ID's app shows beside the name of the service.
    package var referenceText: String?
    /// Idura: what the e-ID's app shows, and which word it uses for what the person does.
    package var message: String?
    package var action: String?
    /// Nil hands on no national id.
    package var nationalID: NationalIDRule?
    /// Nil: the broker's `iss` and `sub` say who the person is.
    package var person: Person.Rule?
    /// Names of authorize parameters that an app may set.
    package var parameters: Set<String> = []

    package init(id: String, brokerID: String, names: [String: String]) {
        self.id = id
        self.brokerID = brokerID
        self.names = names
    }

    /// True where an app opens the e-ID's app itself: what it opens is then in the answer to its create.
    package var opensApp: Bool {
        switch self.flow {
        case .browser, .ciba: false
        case .launchLinks, .headless, .artifact: true
        }
    }

    /// True when the person must have authenticated for this very login.
    package var demandsFreshLogin: Bool {
        self.prompt?.split(separator: " ").contains("login") ?? false
    }
}

// MARK: - What it demands of whoever logs in, whatever the broker

extension Provider {
    /// In our words.
    func check(_ identity: Identity) throws(BrokerError) {
        guard identity.assurance >= self.minimumAssurance else {
            throw BrokerError(.assuranceTooLow, "assurance_\(identity.assurance.rawValue)")
        }
        guard self.methods.isEmpty || !self.methods.isDisjoint(with: identity.methods) else {
            throw BrokerError(.assuranceTooLow, "amr")
        }
    }

    /// Where its people come from, if they all come from there.
    var onlyCountry: String? { self.countries.count == 1 ? self.countries.first : nil }
}

// MARK: - Where it works: on which platforms, and for web pages on which systems

extension Provider {
    package var platforms: [Visit.Platform] {
        switch self.flow {
        case .browser, .ciba, .launchLinks, .headless: [.ios, .android, .web]
        // DigiD's app hands its artifact to an app, by a link of that app's.
        case .artifact: [.ios, .android]
        }
    }

    /// The systems on which a web page can use it, by the names of the request's `os`; nil: on all, also where none is named.
    package var webSystems: [Visit.Platform]? {
        switch self.flow {
        case .browser, .ciba: nil
        // The link opens an app of the phone on which the page is.
        case .launchLinks, .headless: [.ios, .android]
        case .artifact: []
        }
    }

    /// What to open links in, the best first, for an app that opens them in `surface` itself.
    package func surfaces(on platform: Visit.Platform?, wanted surface: Visit.Surface?) -> [Visit.Surface] {
        // A web page runs in a browser, so it can use no other surface.
        guard platform != .web else { return [.system] }
        guard let surface, self.surfaces.contains(surface) else { return self.surfaces }
        return [surface] + self.surfaces.filter { $0 != surface }
    }
}
