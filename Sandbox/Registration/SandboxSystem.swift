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
