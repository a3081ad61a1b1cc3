/// What `switchback check` prints about the server's own certificates, and what `serve` logs.
import Base
import HTTPServer
import OpenIDConnect
import ServerConfiguration

package enum TLSReport {
    /// Enough time to renew a certificate by hand.
    private static let expiryWarningTime = 14 * 86_400

    /// Returns an empty text when the server does not speak TLS.
    package static func text(_ configuration: Configuration) -> String {
        guard let tls = configuration.tls else { return "" }
        var lines = ["TLS:"]
        for named in tls.certificates {
            lines.append("  certificate: \(named.file), until \(Self.date(named.identity.notAfter))")
        }
        return "\n" + lines.joined(separator: "\n") + "\n"
    }

    /// What keeps clients from connecting, now or soon.
    package static func warnings(
        _ configuration: Configuration, now: Timestamp = WallClock.now()
    ) -> [Diagnostic] {
        guard let tls = configuration.tls else { return [] }
        return tls.certificates.compactMap { Self.warning($0, now: now) }.map {
            Diagnostic(nil, "tls", $0, .warning)
        } + Self.warnings(configuration, tls)
    }

    static func date(_ seconds: Int) -> String { String(Timestamp(seconds: seconds).rfc3339.prefix(10)) }

    private static func warning(_ named: Configuration.TLS.Named, now: Timestamp) -> String? {
        let (identity, file) = (named.identity, named.file)
        let rest = identity.notAfter - now.seconds
        if rest < 0 { return "\(file) expired on \(Self.date(identity.notAfter)): renew it" }
        if identity.notBefore > now.seconds {
            return "\(file) is valid from \(Self.date(identity.notBefore)): is the clock right?"
        }
        guard rest < Self.expiryWarningTime else { return nil }
        return "\(file) expires on \(Self.date(identity.notAfter)), in \(rest / 86_400) days: renew it soon"
    }

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
