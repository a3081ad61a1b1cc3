/// Makes a broker that speaks to DigiD from its configuration.
import Base
import Brokers
import OpenIDConnect

extension DigiDBroker {
    convenience init(
        _ broker: Configuration.Broker, _ digid: Configuration.Broker.DigiD, of configuration: Configuration,
        fetch: @escaping Fetch, now: @escaping @Sendable () -> Timestamp
    ) {
        var settings = DigiDSettings(
            id: broker.id, issuer: broker.issuer, resolver: digid.resolver, clientID: broker.clientID,
            // The configuration has been checked: there is a secret.
            clientSecret: broker.clientSecret ?? Secret([UInt8]()), returnURL: configuration.redirectURI(of: broker))
        settings.basicEncoding = broker.basicEncoding == .raw ? .raw : .formEncoded
        settings.endpoints = EndpointPolicy(
            hosts: broker.hosts, allowInsecureLoopback: broker.allowInsecureLoopback,
            insecureHosts: configuration.insecureHosts)
        settings.appLink = digid.appLink
        settings.testHost = digid.testHost
        settings.level = digid.level
        settings.subjectClaim = digid.subjectClaim
        settings.service = digid.service
        self.init(settings, fetch: fetch, now: now)
    }
}

extension Configuration.Broker {
    /// The broker that this configuration asks for.
    func made(
        of configuration: Configuration, fetch: @escaping Fetch, now: @escaping @Sendable () -> Timestamp
    ) -> any Broker {
        guard let digid = self.digid else { return OpenIDBroker(self, of: configuration, fetch: fetch, now: now) }
        return DigiDBroker(self, digid, of: configuration, fetch: fetch, now: now)
    }
}
