/// Makes the TLS settings of a configuration, and logs its certificates.
import Base
import HTTPServer
import Logging
import Preflight
import ServerConfiguration

extension ServerTLS {
    /// Returns nil if the server uses plain HTTP.
    static func make(
        _ configuration: Configuration, logger: Logger, now: Timestamp
    ) throws(TLSSettingsError) -> ServerTLS? {
        guard let tls = configuration.tls else { return nil }
        let server = try ServerTLS(tls.settings)
        Self.log(configuration, tls, logger, now)
        return server
    }

    /// Uses the certificates of a new configuration. If it throws, the former certificates stay.
    func replace(with configuration: Configuration, logger: Logger, now: Timestamp) throws(TLSSettingsError) {
        // Whether the server uses TLS is decided when it starts to listen.
        guard let tls = configuration.tls else { throw .noIdentity }
        try self.replace(with: tls.settings)
        Self.log(configuration, tls, logger, now)
    }

    private static func log(
        _ configuration: Configuration, _ tls: Configuration.TLS, _ logger: Logger, _ now: Timestamp
    ) {
        for named in tls.certificates {
            let end = Timestamp(seconds: named.identity.notAfter).rfc3339
            logger.info("tls_certificate", metadata: ["file": "\(named.file)", "not_after": "\(end)"])
        }
        for warning in TLSReport.warnings(configuration, now: now) {
            logger.warning("tls_certificate", metadata: ["reason": "\(warning)"])
        }
    }
}
