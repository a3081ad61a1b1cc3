import Base
import Sandbox

/// The broker of a `FailingStage`: its settings at the server, and the server's registration at the broker.
struct FailingBroker: Sendable {
    var kind = "oidc"
    var system = SandboxSystem.oidc
    /// More settings of the provider, each after a comma.
    var provider = ""
    /// Whether the broker is up when the server starts.
    var isUp = true
    /// The issuer, if another front stands before the `FaultyFront`; nil means the `FaultyFront`'s own URL.
    var issuer: String?
    /// The origin at which clients present certificates.
    var mutualTLS: String?
    /// The server's timeout for one request, in seconds.
    var timeout = 10
    /// More settings of the broker, separated by commas.
    var settings = "client_secret: secret"
    var authentication = SandboxClient.Authentication.secretBasic
    /// The certificate by which the broker knows the server, in DER.
    var certificate: [UInt8]?

    func client(redirectURI: String) -> SandboxClient {
        SandboxClient(
            clientID: "us", secret: Secret("secret"), redirectURIs: [redirectURI], authentication: self.authentication,
            certificate: self.certificate)
    }
}
