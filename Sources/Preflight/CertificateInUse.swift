import Base
import Outbound
import ServerConfiguration

/// A certificate that the server shows, to its clients or to a broker, and how long it is valid.
package struct CertificateInUse: Equatable, Sendable {
    package enum Use: String, CaseIterable, Sendable {
        /// Clients see it.
        case server
        /// A broker sees it (RFC 8705).
        case client
    }

    /// Enough time to renew a certificate by hand.
    private static let warningTime = 14 * 86_400

    package let use: Use
    /// The setting that names it.
    let setting: String
    package let file: String
    /// In seconds since 1970; nil if we did not look.
    let notBefore: Int?
    package let notAfter: Int

    /// Returns all certificates of a configuration. A file that cannot be read is reported elsewhere.
    package static func all(in configuration: Configuration) -> [CertificateInUse] {
        let servers = (configuration.tls?.certificates ?? []).enumerated().map { index, certificate in
            CertificateInUse(
                use: .server, setting: index == 0 ? "tls.certificate" : "tls.more[\(index - 1)].certificate",
                file: certificate.file, notBefore: certificate.identity.notBefore,
                notAfter: certificate.identity.notAfter)
        }
        let clients = configuration.brokers.compactMap { broker -> CertificateInUse? in
            let settings = configuration.outbound(to: broker)
            guard let file = settings.clientCertificateFile, let keyFile = settings.clientKeyFile,
                let certificate = try? ClientCertificate(certificateFile: file, keyFile: keyFile)
            else { return nil }
            return CertificateInUse(
                use: .client, setting: "brokers.\(broker.id).client_certificate_file", file: file, notBefore: nil,
                notAfter: certificate.expiry)
        }
        return servers + clients
    }

    /// Returns what is wrong with the certificates of a configuration, now or soon.
    package static func diagnostics(
        _ configuration: Configuration, at now: Timestamp = WallClock.now()
    ) -> [Diagnostic] {
        Self.all(in: configuration).compactMap { $0.diagnostic(at: now) }
    }

    package func isOver(at now: Timestamp) -> Bool { self.notAfter < now.seconds }

    /// The days until it ends; negative afterwards.
    package func daysLeft(at now: Timestamp) -> Double { Double(self.notAfter - now.seconds) / 86_400 }

    /// Returns an error once it has ended: nobody accepts it then. Returns a warning if it ends soon, or is not valid
    /// yet by our clock.
    package func diagnostic(at now: Timestamp) -> Diagnostic? {
        let end = TLSReport.date(self.notAfter)
        if self.isOver(at: now) {
            return Diagnostic(nil, self.setting, "\(self.file) expired on \(end): renew it", .error)
        }
        if let notBefore, notBefore > now.seconds {
            let start = TLSReport.date(notBefore)
            return Diagnostic(
                nil, self.setting, "\(self.file) is valid from \(start): is the clock right?", .warning)
        }
        let rest = self.notAfter - now.seconds
        guard rest < Self.warningTime else { return nil }
        return Diagnostic(
            nil, self.setting, "\(self.file) expires on \(end), in \(rest / 86_400) days: renew it soon", .warning)
    }
}
