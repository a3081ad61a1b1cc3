/// Makes a broker that speaks OpenID Connect from its configuration.
import Base
import Brokers
import HTTPWire
import JOSE
import OpenIDConnect

extension OpenIDBroker {
    convenience init(
        _ broker: Configuration.Broker, of configuration: Configuration, fetch: @escaping Fetch,
        now: @escaping @Sendable () -> Timestamp
    ) {
        var settings = BrokerSettings(
            id: broker.id, issuer: broker.issuer, client: configuration.client(of: broker),
            endpoints: EndpointPolicy(
                hosts: broker.hosts, allowInsecureLoopback: broker.allowInsecureLoopback,
                insecureHosts: configuration.insecureHosts),
            issuerPolicy: broker.issuerPolicy, idTokenAlgorithms: broker.idTokenAlgorithms)
        settings.kind = broker.kindRules
        settings.redirectsToApp = broker.callback != .backend
        if broker.idTokenEncrypted { settings.idTokenDecrypter = configuration.decrypter }
        settings.userInfoFormat = broker.userInfoFormat
        settings.userInfoDecrypter = broker.userInfoFormat == .encrypted ? configuration.decrypter : nil
        settings.readQuery = { try? FormBody.parse($0) }
        settings.headlessGrantType = broker.headlessGrantType
        settings.bankIDLink = broker.bankIDLink
        settings.pollInterval = broker.pollInterval.map { max(250, Int($0.components.seconds) * 1000) }
        settings.clockLeeway = Int(broker.clockLeeway.components.seconds)
        self.init(settings, fetch: fetch, now: now)
    }
}

extension Configuration {
    /// Our client ID at this broker and the credentials that prove it.
    func client(of broker: Broker) -> Client {
        var client = Client(
            clientID: broker.clientID, authentication: broker.clientAuthentication,
            redirectURI: self.redirectURI(of: broker), responseMode: broker.responseMode,
            requestStyle: broker.requestStyle, requestObject: broker.requestObjectSigner)
        client.requestObjectType = broker.requestObjectType
        return client
    }

    fileprivate var decrypter: Decrypter {
        Decrypter(
            keys: self.decryptionKeys.map(\.key), algorithms: Self.keyManagement,
            encryptions: Set(ContentEncryption.allCases))
    }

    /// All that go with a key pair.
    private static let keyManagement = Set(KeyManagementAlgorithm.allCases).subtracting([.direct])

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

    fileprivate var kindRules: any BrokerKind {
        switch self.kind {
        // DigiD speaks none, and has a broker of its own.
        case .oidc, .digid: PlainOpenIDConnect()
        case .signaturgruppen: Signaturgruppen(takesAnyLink: self.requestStyle != .plain)
        case .idura: Idura()
        case .vipps: Vipps(merchantSerialNumber: self.merchantSerialNumber, version: ServerVersion.text)
        }
    }

    fileprivate var issuerPolicy: IssuerPolicy {
        switch self.issuerInResponse {
        case .require: .require
        case .successOnly: .successOnly
        case .auto: self.kind == .signaturgruppen ? .successOnly : .optional
        case .optional: .optional
        }
    }
}
