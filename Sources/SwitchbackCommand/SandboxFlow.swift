/// The buttons of a sandbox: one for each way in which a broker can be spoken to.
import Sandbox

enum SandboxFlow: String, CaseIterable {
    /// A client secret, and the code in the URL.
    case sandbox
    /// A signed request and a signed client assertion, and the code in a form.
    case sandbox_signed
    case mitid
    case mitid_idura
    /// In a browser.
    case se_bankid
    case vipps
    /// Its app opens ours with the code.
    case vipps_app
    // TODO: se_bankid_app (launch links), se_bankid_headless and mitid_ciba, when providers.*.flow and .release exist:
    //   se_bankid_app       idura, acr_values se:bankid:same-device, flow: launch_links, release: immediate
    //   se_bankid_headless  idura, acr_values se:bankid, flow: headless, release: immediate, launch links at
    //                       origin(of: .idura) + "/bankid/"
    //   mitid_ciba          signaturgruppen, idp_values mitid, flow: ciba

    var system: SandboxSystem {
        switch self {
        case .sandbox, .sandbox_signed: .oidc
        case .mitid: .signaturgruppen
        case .mitid_idura, .se_bankid: .idura
        case .vipps, .vipps_app: .vipps
        }
    }

    var isSigned: Bool { self == .sandbox_signed }

    /// Whether the redirect URI is a link to the app.
    var answersApp: Bool { self == .vipps_app }

    var name: (en: String, da: String) {
        switch self {
        case .sandbox: ("Sandbox eID", "Sandkasse-eID")
        case .sandbox_signed: ("Sandbox eID, signed", "Sandkasse-eID, signeret")
        case .mitid: ("MitID", "MitID")
        case .mitid_idura: ("MitID by Idura", "MitID gennem Idura")
        case .se_bankid: ("Swedish BankID in the browser", "Svensk BankID i browseren")
        case .vipps: ("Vipps", "Vipps")
        case .vipps_app: ("Vipps, by a link to the app", "Vipps, med et link til appen")
        }
    }
}

// MARK: - In YAML

extension SandboxFlow {
    var brokerSettings: String {
        switch self {
        case .sandbox: "response_mode: query"
        case .sandbox_signed: "request_style: jar, response_mode: form_post"
        case .mitid: "request_style: par+jar, response_mode: form_post, id_token_algorithms: [RS256]"
        case .mitid_idura, .se_bankid: "request_style: par, response_mode: form_post"
        case .vipps: "merchant_serial_number: \"999999\""
        case .vipps_app: "merchant_serial_number: \"999999\", callback: app"
        }
    }

    var providerSettings: String {
        switch self {
        case .sandbox, .sandbox_signed:
            "countries: [DK, SE, \"NO\", FI], scope: [openid, profile, email], "
                + "claims: [given_name, family_name, birthdate, country, email]"
        case .mitid:
            "countries: [DK], idp_values: [mitid], scope: [openid, mitid], minimum_assurance: substantial, "
                + "reference_text: Log in to the sandbox"
        case .mitid_idura:
            "countries: [DK], acr_values: [\"urn:grn:authn:dk:mitid:substantial\"], message: Log in to the sandbox, "
                + "action: confirm, national_id_claim: cprNumberIdentifier, national_id_type: \"dk:cpr\""
        case .se_bankid: "countries: [SE], acr_values: [\"urn:grn:authn:se:bankid\"]"
        case .vipps, .vipps_app: "countries: [\"NO\", DK, FI, SE], scope: [openid, name, birthDate]"
        }
    }
}
