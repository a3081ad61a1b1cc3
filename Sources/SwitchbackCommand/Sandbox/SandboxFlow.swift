import Sandbox

/// The providers of a sandbox: one for each way to talk to a broker.
enum SandboxFlow: String, CaseIterable {
    /// With a client secret, and the code in the URL.
    case sandbox
    /// With a signed request and a signed client assertion, and the code in a form.
    case sandbox_signed
    /// With a signed response (JARM), and an encrypted ID token and userinfo.
    case sandbox_encrypted
    case mitid
    case mitid_idura
    /// In a browser.
    case se_bankid
    case vipps
    /// Its app opens our app with the code.
    case vipps_app
    /// Without a fresh login, so that a user whom it remembers in the browser passes without its app.
    case vipps_remembered
    /// BankID's app, opened by a launch link of the broker.
    case se_bankid_app
    /// BankID's app, opened by a link that the server makes.
    case se_bankid_headless
    /// A browser, and a server that polls the broker for the result.
    case mitid_ciba
    /// DigiD's app, which returns an artifact.
    case digid

    var system: SandboxSystem {
        switch self {
        case .sandbox, .sandbox_signed, .sandbox_encrypted: .oidc
        case .mitid, .mitid_ciba: .signaturgruppen
        case .mitid_idura, .se_bankid, .se_bankid_app, .se_bankid_headless: .idura
        case .vipps, .vipps_app, .vipps_remembered: .vipps
        case .digid: .digid
        }
    }

    var clientID: String { "switchback-\(self.rawValue)" }

    /// Whether the server sends the authorization request to the broker first (RFC 9126).
    var pushesRequests: Bool { [.mitid, .mitid_idura, .se_bankid].contains(self) }

    var isSigned: Bool { self == .sandbox_signed }

    /// Whether a user passes whom the broker knows from an earlier login.
    var letsKnownUsersPass: Bool { self == .vipps_remembered }

    /// Whether the redirect URI is a link to the app.
    var answersApp: Bool { self == .vipps_app || self == .digid }

    var name: (en: String, da: String) {
        switch self {
        case .sandbox: ("Sandbox eID", "Sandkasse-eID")
        case .sandbox_signed: ("Sandbox eID (signed)", "Sandkasse-eID (signeret)")
        case .sandbox_encrypted: ("Sandbox eID (encrypted)", "Sandkasse-eID (krypteret)")
        case .mitid: ("MitID", "MitID")
        case .mitid_idura: ("MitID (Idura)", "MitID (Idura)")
        case .se_bankid: ("Swedish BankID (browser)", "Svensk BankID (browser)")
        case .vipps: ("Vipps", "Vipps")
        case .vipps_app: ("Vipps (link to the app)", "Vipps (link til appen)")
        case .vipps_remembered: ("Vipps (remembers the user)", "Vipps (husker brugeren)")
        case .se_bankid_app: ("Swedish BankID (app)", "Svensk BankID (app)")
        case .se_bankid_headless: ("Swedish BankID (app, headless)", "Svensk BankID (app, headless)")
        case .mitid_ciba: ("MitID (CIBA)", "MitID (CIBA)")
        case .digid: ("DigiD", "DigiD")
        }
    }
}

// MARK: - In YAML

extension SandboxFlow {
    /// The YAML settings of its broker. `origin` is the broker's origin.
    func brokerSettings(_ origin: String) -> String {
        switch self {
        case .sandbox: "response_mode: query, id_token_algorithms: [RS256]"
        case .sandbox_encrypted:
            "response_mode: query.jwt, id_token_encrypted: true, userinfo_format: encrypted"
        case .sandbox_signed: "request_style: jar, response_mode: form_post"
        case .mitid: "request_style: par+jar, response_mode: form_post, id_token_algorithms: [RS256]"
        case .mitid_idura, .se_bankid: "request_style: par, response_mode: form_post"
        case .vipps: "merchant_serial_number: \"999999\""
        case .vipps_app: "merchant_serial_number: \"999999\", callback: app"
        case .vipps_remembered: "merchant_serial_number: \"999999\""
        case .se_bankid_app: "response_mode: json"
        case .se_bankid_headless: "bankid_link: \"\(origin)/bankid/\", poll_interval: 1"
        case .mitid_ciba: "id_token_algorithms: [RS256]"
        case .digid:
            "resolver: \"\(origin)/oauth/custom-registration/digid\", app_link: \"\(origin)/digid-app\", "
                + "app_links: [\"\(origin)/partner-app\"]"
        }
    }

    /// DigiD always authenticates the user anew. It forbids derived identities, so a login gets one access token. A known
    /// user has proved nothing now: there is no session, and each app wants a proof.
    private var session: String {
        if self.letsKnownUsersPass { return "release: return_link, " }
        return self == .digid ? "" : "prompt: login, session: unlock, "
    }

    /// What the button logs in with, where the provider's name does not say it.
    private var eid: String? {
        switch self {
        case .mitid_idura, .mitid_ciba: "mitid"
        case .se_bankid_app, .se_bankid_headless: "se_bankid"
        case .vipps_app, .vipps_remembered: "vipps"
        default: nil
        }
    }

    var providerSettings: String {
        (self.eid.map { "eid: \($0), " } ?? "") + self.session + self.ownProviderSettings
    }

    /// The sandbox plays sessions with every e-ID.
    private static let swedishBankID = "countries: [SE], assurance: none, session_permission: sandbox, "

    private var ownProviderSettings: String {
        switch self {
        case .sandbox, .sandbox_signed, .sandbox_encrypted:
            "acr_values: [\"urn:sandbox:acr:substantial\"], countries: [DK, SE, \"NO\", FI], scope: [openid, profile, email], "
                + "claims: [given_name, family_name, birthdate, country, email]"
        case .mitid:
            "countries: [DK], idp_values: [mitid], scope: [openid, mitid], minimum_assurance: substantial, "
                + "reference_text: Log in to the sandbox"
        case .mitid_idura:
            "countries: [DK], acr_values: [\"urn:grn:authn:dk:mitid:substantial\"], message: Log in to the sandbox, "
                + "action: confirm, national_id_claim: cprNumberIdentifier, national_id_type: \"dk:cpr\""
        case .se_bankid: "\(Self.swedishBankID)acr_values: [\"urn:grn:authn:se:bankid\"]"
        case .se_bankid_app:
            "\(Self.swedishBankID)acr_values: [\"urn:grn:authn:se:bankid:same-device\"], flow: launch_links, "
                + "release: immediate"
        case .se_bankid_headless:
            "\(Self.swedishBankID)acr_values: [\"urn:grn:authn:se:bankid\"], flow: headless, release: immediate"
        case .mitid_ciba:
            "countries: [DK], idp_values: [mitid], scope: [openid, mitid], minimum_assurance: substantial, flow: ciba"
        case .vipps, .vipps_app, .vipps_remembered: "countries: [\"NO\", DK, FI, SE], scope: [openid, name, birthDate]"
        case .digid: "countries: [NL], scope: [read]"
        }
    }
}
