// Creates a broker from its configuration.

import Base
import Brokers
import HTTPWire
import JOSE
import OpenIDConnect
import ServerConfiguration

/// Creates an OpenID Connect broker from its configuration.
extension OpenIDBroker {
    convenience init(
        _ broker: Configuration.Broker, of configuration: Configuration, fetch: @escaping Fetch,
        now: @escaping @Sendable () -> Timestamp, onUnusableKeys: @escaping @Sendable ([UnusableKey]) -> Void
    ) {
        var settings = BrokerSettings(
            id: broker.id, issuer: broker.issuer, client: configuration.client(of: broker),
            endpoints: configuration.endpoints(of: broker),
            issuerPolicy: broker.issuerPolicy, idTokenAlgorithms: Set(broker.idTokenAlgorithms))
        settings.kind = broker.openID ?? settings.kind
        settings.onUnusableKeys = onUnusableKeys
        settings.redirectsToApp = broker.callback != .backend
        if broker.idTokenEncrypted { settings.idTokenDecrypter = configuration.decrypter }
        settings.userInfoFormat = broker.userInfoFormat
        settings.userInfoDecrypter = broker.userInfoFormat == .encrypted ? configuration.decrypter : nil
        settings.readQuery = { FormBody.read($0, keeping: ResponseParameters.names) }
        settings.pollInterval = broker.pollInterval.map { max(250, Int($0.components.seconds) * 1000) }
        settings.clockLeeway = Int(broker.clockLeeway.components.seconds)
        settings.trustedAudiences = broker.trustedAudiences
        settings.loginLifetime = Int(configuration.loginLifetime.components.seconds)
        self.init(settings, fetch: fetch, now: now)
    }
}

extension Configuration {
    fileprivate var decrypter: Decrypter {
        Decrypter(
            keys: self.decryptionKeys.map(\.key), algorithms: Self.keyManagement,
            encryptions: Set(ContentEncryption.allCases))
    }

    /// All algorithms that use a key pair.
    private static let keyManagement = Set(KeyManagementAlgorithm.allCases).subtracting([.direct])
}

extension Configuration.Broker {
    fileprivate var issuerPolicy: IssuerPolicy {
        switch self.issuerInResponse {
        case .require: .require
        case .successOnly: .successOnly
        case .auto: self.openID?.promisedIssuer ?? .promised
        case .optional: .optional
        }
    }
}

/// Creates a DigiD broker from its configuration.
extension DigiDBroker {
    convenience init(
        _ broker: Configuration.Broker, _ digid: DigiDOptions, of configuration: Configuration,
        fetch: @escaping Fetch, now: @escaping @Sendable () -> Timestamp,
        onNote: @escaping @Sendable (ResolverNote) -> Void
    ) {
        var settings = DigiDSettings(
            id: broker.id, issuer: broker.issuer, resolver: digid.resolver, clientID: broker.clientID,
            // A checked configuration always has a secret.
            clientSecret: broker.clientSecret ?? Secret([UInt8]()), returnURL: configuration.redirectURI(of: broker))
        settings.basicEncoding = broker.basicEncoding == .raw ? .raw : .formEncoded
        settings.endpoints = configuration.endpoints(of: broker)
        settings.appLink = digid.appLink
        settings.testHost = digid.testHost
        settings.level = digid.level
        settings.subjectClaim = digid.subjectClaim
        settings.personKey = digid.personKey
        settings.service = digid.service
        settings.thirdPartyApps = digid.thirdPartyApps
        settings.onNote = onNote
        self.init(settings, fetch: fetch, now: now)
    }
}

extension Configuration.Broker {
    /// Creates the broker of this configuration.
    func makeBroker(
        of configuration: Configuration, fetch: @escaping Fetch, now: @escaping @Sendable () -> Timestamp,
        onUnusableKeys: @escaping @Sendable ([UnusableKey]) -> Void,
        onNote: @escaping @Sendable (ResolverNote) -> Void
    ) -> any Broker {
        guard let digid = self.digid else {
            return OpenIDBroker(self, of: configuration, fetch: fetch, now: now, onUnusableKeys: onUnusableKeys)
        }
        return DigiDBroker(self, digid, of: configuration, fetch: fetch, now: now, onNote: onNote)
    }
}
