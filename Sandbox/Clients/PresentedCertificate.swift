import Base
import HTTPWire

/// The certificate that a client presented to the proxy in front of us (RFC 8705 §2), which passed it on in a field.
enum PresentedCertificate {
    /// nginx calls the value `$ssl_client_escaped_cert`: PEM in percent encoding.
    private static let field: FieldName = "X-Client-Certificate"

    /// Returns the certificate in DER; nil if there is none.
    static func read(_ request: Request) -> [UInt8]? {
        guard let text = request.fields[self.field],
            let pem = (try? FormBody.parse("certificate=\(text)"))?.first?.value
        else { return nil }
        let lines = pem.split(separator: "\n")
        guard lines.first == "-----BEGIN CERTIFICATE-----", lines.last == "-----END CERTIFICATE-----" else {
            return nil
        }
        return Base64.decode(lines.dropFirst().dropLast().joined())
    }
}
