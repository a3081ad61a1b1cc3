/// The broker of a `FailingStage`: what it is to the server, and what the server is to it.
import Base
import Sandbox

struct FailingBroker: Sendable {
    /// Whether it is there when the server starts.
    var isUp = true
    /// The front's own URL, unless another front stands before that.
    var issuer: String?
    /// The origin at which clients show certificates.
    var mutualTLS: String?
    /// Seconds for one request.
    var timeout = 10
    /// More settings, in a row.
    var settings = "client_secret: secret"
    var authentication = SandboxClient.Authentication.secretBasic
    /// In DER: what the server is known by.
    var certificate: [UInt8]?

    func client(redirectURI: String) -> SandboxClient {
        SandboxClient(
            clientID: "us", secret: Secret("secret"), redirectURIs: [redirectURI], authentication: self.authentication,
            certificate: self.certificate)
    }
}
