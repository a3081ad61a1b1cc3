/// Which broker the sandbox plays: a plain OpenID provider, or one with its own ways.
import StrictJSON

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

extension SandboxSystem {
    /// Why a request gets nowhere, for what only this system knows; nil when nothing is wrong with that.
    func problem(_ parameters: Parameters) -> String? {
        switch self {
        case .oidc, .digid: nil
        case .signaturgruppen: NetsEIDBroker.problem(parameters)
        case .vipps: VippsLogin.problem(parameters)
        case .idura: IduraVerify.problem(parameters)
        }
    }

    /// What it says of the person in the ID token; nil for what every provider says.
    func idToken(of grant: Grant) -> JSON.Object? {
        switch self {
        case .oidc, .digid: nil
        case .signaturgruppen: NetsEIDBroker.idToken(of: grant)
        case .vipps: VippsLogin.idToken(of: grant)
        case .idura: IduraVerify.idToken(of: grant)
        }
    }

    func userinfo(of grant: Grant) -> JSON.Object? {
        switch self {
        case .oidc, .digid: nil
        case .signaturgruppen: NetsEIDBroker.userinfo(of: grant)
        case .vipps: VippsLogin.userinfo(of: grant)
        case .idura: IduraVerify.userinfo(of: grant)
        }
    }
}
