/// Which broker the sandbox plays: a plain OpenID provider, or one with its own ways.
package enum SandboxSystem: String, CaseIterable, Sendable {
    case oidc
    /// Signaturgruppen's Nets eID Broker, with MitID.
    case signaturgruppen
    /// Vipps MobilePay Login.
    case vipps
    /// Idura Verify, in a browser, with launch links, and headless.
    case idura
    /// DigiD's app, and a resolver as OneWelcome has it.
    case digid
}

extension SandboxSystem {
    /// Those that are OpenID providers, with everything that can go wrong there.
    static let withOpenID: Set<Self> = [.oidc, .signaturgruppen, .vipps, .idura]
}
