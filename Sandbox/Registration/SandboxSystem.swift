/// The broker that the sandbox plays: a plain OpenID provider, or one with its own behaviour.
package enum SandboxSystem: String, CaseIterable, Sendable {
    case oidc
    /// Signaturgruppen's Nets eID Broker, with MitID.
    case signaturgruppen
    /// Vipps MobilePay Login.
    case vipps
    /// Idura Verify, in a browser, with launch links, and headless.
    case idura
    /// DigiD's app, and a resolver like OneWelcome's.
    case digid
}

extension SandboxSystem {
    /// The OpenID providers, which can have all faults of such providers.
    static let withOpenID: Set<Self> = [.oidc, .signaturgruppen, .vipps, .idura]
}

/// An e-ID that the sandbox plays: the name on its page, how the page looks, and whose users log in with it.
package enum SandboxEID: String, CaseIterable, Sendable {
    /// The e-ID of no country. All test users have it.
    case sandbox
    case mitid
    case swedishBankID = "bankid-se"
    case norwegianBankID = "bankid-no"
    case vipps
    case digid

    package var name: String {
        switch self {
        case .sandbox: "Sandbox eID"
        case .mitid: "MitID"
        case .swedishBankID, .norwegianBankID: "BankID"
        case .vipps: "Vipps"
        case .digid: "DigiD"
        }
    }

    /// The countries of its users, most of them in the first. Nil for all countries.
    private var countries: [String]? {
        switch self {
        case .sandbox: nil
        case .mitid: ["DK"]
        case .swedishBankID: ["SE"]
        case .norwegianBankID: ["NO"]
        case .vipps: ["NO", "DK", "FI", "SE"]
        case .digid: ["NL"]
        }
    }

    /// The text of the sign on its page. The sandbox uses nobody's logo.
    var sign: String { self.countries?.first ?? "ID" }

    /// The test users to choose from. The first one is the default.
    package var users: [SandboxIdentity] {
        guard let countries else { return SandboxIdentity.all }
        return countries.flatMap { country in SandboxIdentity.all.filter { $0.country == country } }
    }
}
