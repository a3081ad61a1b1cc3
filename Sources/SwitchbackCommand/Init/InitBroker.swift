/// The brokers for which `switchback init` writes a configuration, and what is special about each of them.
enum InitBroker: String, CaseIterable {
    case signaturgruppen
    case idura
    case vipps
    case digid
    case oidc

    /// What it is, for the question and for the head of the file.
    var title: String {
        switch self {
        case .signaturgruppen: "MitID through Signaturgruppen's Nets eID Broker"
        case .idura: "MitID, BankID and others through Idura Verify (Criipto Verify)"
        case .vipps: "Vipps MobilePay Login"
        case .digid: "DigiD by its app, with OneWelcome"
        case .oidc: "any other OpenID provider"
        }
    }

    /// The broker's name in the configuration.
    var name: String {
        switch self {
        case .signaturgruppen: "neb"
        case .idura, .vipps, .digid: self.rawValue
        case .oidc: "broker"
        }
    }

    /// Nil when every customer has another one.
    var issuer: String? {
        switch self {
        case .signaturgruppen: "https://netseidbroker.dk/op"
        case .vipps: "https://api.vipps.no/access-management-1.0/access/"
        case .idura, .digid, .oidc: nil
        }
    }

    var issuerExample: String {
        switch self {
        case .signaturgruppen: "for tests https://pp.netseidbroker.dk/op"
        case .idura: "without a final slash, as in https://example.idura.broker"
        case .vipps: "for tests https://apitest.vipps.no/access-management-1.0/access/"
        case .digid: "the name of the issuer of the accounts, as in https://onewelcome.example.com"
        case .oidc: "as in https://id.example.com"
        }
    }

    /// The e-ID's name as users know it. Nil when the operator has to name it.
    var eidName: String? {
        switch self {
        case .signaturgruppen, .idura: "MitID"
        case .vipps: "Vipps"
        case .digid: "DigiD"
        case .oidc: nil
        }
    }

    /// Without one, a key of this server authenticates it to the broker.
    var needsSecret: Bool { self != .oidc }

    /// Whether a key of this server signs something for the broker.
    func signs(hasSecret: Bool) -> Bool { self == .signaturgruppen || self == .oidc && !hasSecret }
}
