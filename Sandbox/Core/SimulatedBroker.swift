import HTTPServer
import HTTPWire
import StrictJSON

/// How a broker that the sandbox plays differs from a plain OpenID provider. Each broker has a folder of its own
/// below `Systems`, with its faults, pages and endpoints.
protocol SimulatedBroker: Sendable {
    var system: SandboxSystem { get }

    /// The faults that not every broker has.
    var faults: [SandboxFault] { get }

    /// Whether the client is told about errors in its request. Otherwise only the user is.
    var tellsClientOfErrors: Bool { get }

    var basicReading: BasicReading { get }

    /// Returns the e-ID whose page it shows for these requested classes and this hint of an e-ID.
    func eID(for contextClasses: [String], idp: String?) -> SandboxEID

    /// Returns the issuer in its tokens, for all paths under this origin.
    func issuer(at origin: String) -> String

    /// Changes discovery where this broker differs.
    func change(_ document: inout JSON.Object, at origin: String)

    /// Whether a login continues only in the browser in which it began: the broker keeps a cookie there.
    func bindsToBrowser(_ parameters: Parameters) -> Bool

    /// Returns where the e-ID's app returns to, if no parameter names the whole URL. `resume` is where the browser has to
    /// continue.
    func appReturnURL(_ parameters: Parameters, resume: String) -> String?

    /// Whether users may be remembered in their browser.
    var remembersUsers: Bool { get }

    /// Returns why a request is refused by this broker's own rules; nil if they allow it.
    func problem(_ parameters: Parameters) -> String?

    /// Returns the response to an authorization request that gets no page here; nil for one that gets a page.
    func response(
        to parameters: Parameters, of client: SandboxClient, _ core: ProviderCore
    ) throws(OAuthRefusal) -> Response?

    /// Returns the response as this broker writes it.
    func written(_ answer: SandboxAuthorizationResponse) -> SandboxAuthorizationResponse

    /// Returns what the ID token says about the user; nil for what every provider says.
    func idToken(of grant: Grant) -> JSON.Object?

    func userinfo(of grant: Grant) -> JSON.Object?

    /// Returns the result of a token request with a grant type of this broker's own; nil for any other grant type.
    func redeem(
        _ form: Parameters, by client: SandboxClient, accessToken: String, _ core: ProviderCore
    ) throws(OAuthRefusal) -> RedeemedGrant?

    /// Responds at the paths that only this broker has. Returns false for any other path.
    func handle(_ request: Request, _ responder: ResponseHandle, _ core: ProviderCore) -> Bool
}

/// How a broker reads the credentials of `Authorization: Basic`.
enum BasicReading: Sendable {
    /// Form-encoded, as RFC 6749 §2.3.1 requires.
    case formEncoded
    case raw
    /// Either, unless they could mean different clients.
    case either
}

// MARK: - Defaults

extension SimulatedBroker {
    var faults: [SandboxFault] { [] }
    var tellsClientOfErrors: Bool { true }
    var basicReading: BasicReading { .either }
    func eID(for contextClasses: [String], idp: String?) -> SandboxEID { .sandbox }

    func issuer(at origin: String) -> String { origin }
    func change(_ document: inout JSON.Object, at origin: String) {}
    func bindsToBrowser(_ parameters: Parameters) -> Bool { false }
    func appReturnURL(_ parameters: Parameters, resume: String) -> String? { nil }
    var remembersUsers: Bool { false }
    func problem(_ parameters: Parameters) -> String? { nil }
    func response(
        to parameters: Parameters, of client: SandboxClient, _ core: ProviderCore
    ) throws(OAuthRefusal) -> Response? { nil }
    func written(_ answer: SandboxAuthorizationResponse) -> SandboxAuthorizationResponse { answer }
    func idToken(of grant: Grant) -> JSON.Object? { nil }
    func userinfo(of grant: Grant) -> JSON.Object? { nil }
    func redeem(
        _ form: Parameters, by client: SandboxClient, accessToken: String, _ core: ProviderCore
    ) throws(OAuthRefusal) -> RedeemedGrant? { nil }
    func handle(_ request: Request, _ responder: ResponseHandle, _ core: ProviderCore) -> Bool { false }
}

/// Not a broker: a plain OpenID provider.
struct PlainProvider: SimulatedBroker {
    let system = SandboxSystem.oidc
}
