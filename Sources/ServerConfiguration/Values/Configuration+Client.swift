// How this server identifies itself to brokers, and how it reaches them.

import Base
import Brokers
import JOSE
import OpenIDConnect
import Outbound

extension Configuration {
    /// Returns our client ID at this broker, and the credentials that prove it.
    package func client(of broker: Broker) -> Client {
        var client = Client(
            clientID: broker.clientID, authentication: broker.clientAuthentication,
            redirectURI: self.redirectURI(of: broker), responseMode: broker.responseMode,
            requestStyle: broker.requestStyle, requestObject: broker.requestObjectSigner)
        broker.settings.fill(&client)
        return client
    }

    /// Returns the redirect URI that is registered at a broker, byte for byte.
    package func redirectURI(of broker: Broker) -> String {
        // A checked configuration has a link URL or a scheme where a broker redirects to the app.
        let path = broker.callbackPath
        switch broker.callback {
        case .backend: return self.publicURL.text + path
        case .app: return (self.linkURL ?? self.publicURL).text + path
        case .scheme: return (self.apps.first?.returnScheme.map { "\($0):" } ?? self.publicURL.text) + path
        }
    }

    /// Returns which endpoints of a broker we may call.
    package func endpoints(of broker: Broker) -> EndpointPolicy {
        EndpointPolicy(
            hosts: broker.hosts, allowInsecureLoopback: broker.allowInsecureLoopback,
            insecureHosts: self.insecureHosts)
    }

    /// Returns where our client of this broker may connect, and how.
    package func outbound(to broker: Broker) -> OutboundSettings {
        var settings = OutboundSettings(
            allowedHosts: broker.hosts.union(EndpointURL(broker.issuer).map { [$0.host] } ?? []))
        broker.settings.fill(&settings)
        settings.insecureHosts = self.insecureHosts
        settings.userAgent = "Switchback/\(ServerVersion.text)"
        return settings
    }

    /// The operator explicitly allowed a public URL that is http and not loopback (`allow_insecure_public_url`): this is
    /// a sandbox for phones, with the provider on the same host.
    private var insecureHosts: Set<String> {
        self.publicURL.scheme == .http && !self.publicURL.isLoopback ? [self.publicURL.host] : []
    }
}

extension Configuration.Broker {
    /// The path at which the responses of this broker arrive, whatever the host.
    var callbackPath: String { "/callback/\(self.id)" }

    /// The configuration was checked, so a secret or a signer exists where it is needed.
    fileprivate var clientAuthentication: ClientAuthentication {
        let secret = self.clientSecret ?? Secret([UInt8]())
        let audience = self.assertionAudience
        switch self.authentication {
        case .clientSecretBasic: return .secretBasic(secret, self.basicEncoding == .raw ? .raw : .formEncoded)
        case .clientSecretPost: return .secretPost(secret)
        case .clientSecretJWT: return .secretJWT(self.checkedSigner, audience: audience)
        case .privateKeyJWT: return .privateKeyJWT(self.checkedSigner, audience: audience)
        case .tlsClientAuth: return .mutualTLS(selfSigned: false)
        case .selfSignedTLSClientAuth: return .mutualTLS(selfSigned: true)
        }
    }

    private var checkedSigner: JWTSigner {
        guard let signer = self.assertionSigner else { preconditionFailure("a checked configuration has a signer") }
        return signer
    }
}
