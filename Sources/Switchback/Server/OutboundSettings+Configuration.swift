/// Whom a broker's client may talk to, and how.
import OpenIDConnect
import Outbound

extension OutboundSettings {
    init(_ broker: Configuration.Broker, insecureHosts: Set<String>) {
        self.init(allowedHosts: broker.hosts.union(EndpointURL(broker.issuer).map { [$0.host] } ?? []))
        self.clientCertificateFile = broker.clientCertificateFile
        self.clientKeyFile = broker.clientKeyFile
        self.caFile = broker.certificateFile
        self.allowInsecureLoopback = broker.allowInsecureLoopback
        self.insecureHosts = insecureHosts
        self.allowPrivateAddresses = broker.allowPrivateAddresses
        self.userAgent = "Switchback/\(ServerVersion.text)"
    }
}
