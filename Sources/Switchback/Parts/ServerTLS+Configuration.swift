// Makes the TLS settings of a configuration, and logs its certificates.

import Base
import HTTPServer
import Logging
import Preflight
import ServerConfiguration

extension ServerTLS {
    /// Returns nil if the server uses plain HTTP.
    static func make(_ configuration: Configuration) throws(OperatorError) -> ServerTLS? {
        guard let tls = configuration.tls else { return nil }
        return try ServerTLS(tls.settings)
    }

    /// Uses the certificates of a new configuration. If it throws, the former certificates stay.
    func replace(with configuration: Configuration) throws(OperatorError) {
        // Whether the server uses TLS is decided when it starts to listen.
        try self.replace(with: configuration.tls?.settings ?? TLSSettings([]))
    }
}

extension Configuration {
    /// Logs which certificates are used from now on, and what is wrong with them. One that has ended is an error: the
    /// server runs, and nobody accepts it.
    func logCertificates(_ logger: Logger, at now: Timestamp) {
        for certificate in CertificateInUse.all(in: self) {
            let end = Timestamp(seconds: certificate.notAfter).rfc3339
            logger.info(
                "tls_certificate",
                metadata: [
                    "use": "\(certificate.use.rawValue)", "file": "\(certificate.file)", "not_after": "\(end)",
                ])
            guard let diagnostic = certificate.diagnostic(at: now) else { continue }
            logger.log(
                level: diagnostic.level == .error ? .error : .warning, "tls_certificate",
                metadata: ["reason": "\(diagnostic)"])
        }
        for warning in TLSReport.warnings(self) {
            logger.warning("tls_certificate", metadata: ["reason": "\(warning)"])
        }
    }

    /// Returns this configuration with a certificate of `former` in the place of each one that has ended, if that one
    /// is still valid: a renewal that restored an old file must not shut all clients out.
    func keepingCertificates(of former: Configuration, at now: Timestamp, _ logger: Logger) -> Configuration {
        var configuration = self
        for file in configuration.keepCertificates(of: former, at: now.seconds) {
            logger.error(
                "tls_certificate",
                metadata: ["reason": "\(file) has expired, so the former certificate stays in use: renew it"])
        }
        return configuration
    }
}
