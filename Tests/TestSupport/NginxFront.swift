/// nginx in front of a plain HTTP server, with TLS and optional client certificates: the edge of a provider.
///
/// It listens on `https://localhost` at a port that the caller chose, since the server behind it must know its own URL:
/// call `FreePort.find()`, start the server, then the front.
package final class NginxFront: Sendable {
    package enum Clients: String, Sendable {
        case none = "off"
        /// Client certificates must be from the authority of `TestCertificates`; others and none get a 400.
        case required = "on"
        /// Client certificates are optional and passed on unchecked; the server behind judges them (RFC 8705 §2.2).
        case unchecked = "optional_no_ca"
    }

    /// The header that carries the client's certificate, as percent-encoded PEM. nginx overwrites it, so a client
    /// cannot set it.
    package static let field = "X-Client-Certificate"

    package let url: String
    private let nginx: Nginx

    /// `protocols` in nginx's notation.
    package init(
        port: UInt16, upstream: UInt16, certificates: TestCertificates, shows name: TestCertificates.Name = .good,
        clients: Clients = .none, protocols: String = "TLSv1.2 TLSv1.3"
    ) throws {
        self.url = "https://localhost:\(port)"
        self.nginx = try Nginx(
            in: certificates.folder,
            servers: [
                """
                server {
                    listen 127.0.0.1:\(port) ssl;
                    ssl_certificate \(certificates.certificate(name));
                    ssl_certificate_key \(certificates.key(name));
                    ssl_protocols \(protocols);
                    ssl_ciphers DEFAULT@SECLEVEL=0;
                    ssl_verify_client \(clients.rawValue);
                    ssl_client_certificate \(certificates.authority);
                    location / {
                        proxy_pass http://127.0.0.1:\(upstream);
                        proxy_http_version 1.1;
                        proxy_set_header Host $http_host;
                        proxy_set_header \(Self.field) $ssl_client_escaped_cert;
                    }
                }
                """
            ])
    }

    package func stop() { self.nginx.stop() }
}
