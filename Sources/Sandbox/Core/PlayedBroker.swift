/// How a broker that the sandbox plays differs from a plain OpenID provider: each of them says it in a place of its own.
import HTTPServer
import HTTPWire
import StrictJSON

protocol PlayedBroker: Sendable {
    var system: SandboxSystem { get }

    /// Whether a client hears of its request that is wrong. Where it does not, the person alone is told.
    var tellsClientOfErrors: Bool { get }

    var basicReading: BasicReading { get }

    /// As its tokens say it, for all paths under this origin.
    func issuer(at origin: String) -> String

    /// What discovery says otherwise.
    func change(_ document: inout JSON.Object, at origin: String)

    /// Why a request gets nowhere, for what only this broker knows; nil when nothing is wrong with that.
    func problem(_ parameters: Parameters) -> String?

    /// The answer to an authorization request that gets no page here; nil for one that gets it.
    func response(
        to parameters: Parameters, of client: SandboxClient, _ core: ProviderCore
    ) throws(AuthorizationError) -> Response?

    /// As this broker writes it.
    func written(_ answer: AuthorizationAnswer) -> AuthorizationAnswer

    /// What it says of the person in the ID token; nil for what every provider says.
    func idToken(of grant: Grant) -> JSON.Object?

    func userinfo(of grant: Grant) -> JSON.Object?

    /// What a token request is worth by a grant of this broker's own; nil for any other grant.
    func redeemed(
        _ form: Parameters, by client: SandboxClient, accessToken: String, _ core: ProviderCore
    ) throws(TokenError) -> Redeemed?

    /// Answers at the paths that this broker alone has. False for any other path.
    func handle(_ request: Request, _ exchange: ResponseHandle, _ core: ProviderCore) -> Bool
}

/// How a broker reads the credentials of `Authorization: Basic`.
enum BasicReading: Sendable {
    /// As RFC 6749 §2.3.1 has it, form-encoded.
    case formEncoded
    case raw
    /// One or the other, where it cannot mean two clients.
    case either
}

// MARK: - As the specifications have it

extension PlayedBroker {
    var tellsClientOfErrors: Bool { true }
    var basicReading: BasicReading { .either }

    func issuer(at origin: String) -> String { origin }
    func change(_ document: inout JSON.Object, at origin: String) {}
    func problem(_ parameters: Parameters) -> String? { nil }
    func response(
        to parameters: Parameters, of client: SandboxClient, _ core: ProviderCore
    ) throws(AuthorizationError) -> Response? { nil }
    func written(_ answer: AuthorizationAnswer) -> AuthorizationAnswer { answer }
    func idToken(of grant: Grant) -> JSON.Object? { nil }
    func userinfo(of grant: Grant) -> JSON.Object? { nil }
    func redeemed(
        _ form: Parameters, by client: SandboxClient, accessToken: String, _ core: ProviderCore
    ) throws(TokenError) -> Redeemed? { nil }
    func handle(_ request: Request, _ exchange: ResponseHandle, _ core: ProviderCore) -> Bool { false }
}

/// No broker: a plain OpenID provider.
struct PlainProvider: PlayedBroker {
    let system = SandboxSystem.oidc
}
