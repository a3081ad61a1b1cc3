/// Makes a broker from its configuration.
import Brokers
import JOSE
import OpenIDConnect

extension Broker {
    convenience init(
        _ broker: Configuration.Broker, of configuration: Configuration, fetch: @escaping Fetch,
        now: @escaping @Sendable () -> Timestamp
    ) {
        let client = Client(
            clientID: broker.clientID, authentication: broker.clientAuthentication,
            redirectURI: configuration.redirectURI(of: broker),
            responseMode: broker.responseMode == .formPost ? .formPost : .query,
            requestObject: broker.requestObject == .signed ? broker.signer : nil)
        var settings = BrokerSettings(
            id: broker.id, issuer: broker.issuer, client: client,
            endpoints: EndpointPolicy(
                hosts: broker.hosts, allowInsecureLoopback: broker.allowInsecureLoopback,
                insecureHosts: configuration.insecureHosts),
            issuerPolicy: broker.issuerPolicy, idTokenAlgorithms: broker.idTokenAlgorithms)
        settings.clockLeeway = Int(broker.clockLeeway.components.seconds)
        self.init(settings, fetch: fetch, now: now)
    }
}

extension Configuration {
    /// A public URL that is http and not loopback was allowed in as many words (`allow_insecure_public_url`): a sandbox for
    /// phones, whose provider is on the same host.
    var insecureHosts: Set<String> {
        self.publicURL.scheme == .http && !self.publicURL.isLoopback ? [self.publicURL.host] : []
    }
}

extension Configuration.Broker {
    /// The configuration has been checked: a secret or a signer is there where it is needed.
    fileprivate var clientAuthentication: ClientAuthentication {
        let secret = self.clientSecret ?? Secret([UInt8]())
        switch self.authentication {
        case .clientSecretBasic: return .secretBasic(secret, self.basicEncoding == .raw ? .raw : .formEncoded)
        case .clientSecretPost: return .secretPost(secret)
        case .privateKeyJWT:
            guard let signer = self.signer else { preconditionFailure("a checked configuration has a signer") }
            return .privateKeyJWT(signer, audience: self.assertionAudience == .issuer ? .issuer : .tokenEndpoint)
        }
    }

    fileprivate var issuerPolicy: IssuerPolicy {
        switch self.issuerInResponse {
        case .require: .require
        case .successOnly: .successOnly
        case .auto, .optional: .optional
        }
    }
}
