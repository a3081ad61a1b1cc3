import Base
import HTTPServer
import OpenIDConnect
import ServerConfiguration

/// What `switchback check` prints about the server's own certificates, and what `serve` logs.
package enum TLSReport {
    /// Returns an empty text when the server does not speak TLS.
    package static func text(_ configuration: Configuration) -> String {
        guard let tls = configuration.tls else { return "" }
        var lines = ["TLS:"]
        for certificate in tls.certificates {
            lines.append("  certificate: \(certificate.file), until \(Self.date(certificate.identity.notAfter))")
        }
        return "\n" + lines.joined(separator: "\n") + "\n"
    }

    /// What keeps clients from connecting, apart from the time: `CertificateInUse` has that.
    package static func warnings(_ configuration: Configuration) -> [Diagnostic] {
        guard let tls = configuration.tls else { return [] }
        return Self.warnings(configuration, tls)
    }

    static func date(_ seconds: Int) -> String { String(Timestamp(seconds: seconds).rfc3339.prefix(10)) }

    private static func warnings(
        _ configuration: Configuration, _ tls: Configuration.TLS
    ) -> [Diagnostic] {
        var warnings: [Diagnostic] = []
        func warn(_ name: String, _ message: String) {
            warnings.append(Diagnostic(nil, name, message, .warning))
        }
        for (name, url) in [("public_url", configuration.publicURL), ("link_url", configuration.linkURL)] {
            guard let url else { continue }
            if url.scheme != .https {
                warn(name, "begins with http, but with tls.certificate listen speaks only https")
            } else if !tls.certificates.contains(where: { $0.identity.covers(url.host) }) {
                warn(name, "no certificate covers \(url.host)")
            }
        }
        return warnings
    }
}
