/// What every answer tells browsers not to do.
import HTTPWire

package struct SecurityHeaders: Sendable {
    /// Who reads an answer.
    package enum Reader: Sendable {
        /// An app, or whoever fetches a file.
        case program
        /// A person, in a browser.
        case person
    }

    /// A page loads our own style and images and nothing else. It has no form and no script, and is shown in no frame.
    package static let pagePolicy =
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    private let isHTTPS: Bool

    /// HSTS is promised only where the public URL is https: elsewhere it means nothing (RFC 6797 §7.2).
    package init(publicURL: String) { self.isHTTPS = publicURL.hasPrefix("https://") }

    package func add(to fields: inout Fields, for reader: Reader) {
        fields[.xContentTypeOptions] = "nosniff"
        fields[.referrerPolicy] = "no-referrer"
        if self.isHTTPS { fields[.strictTransportSecurity] = "max-age=31536000" }
        switch reader {
        case .program:
            fields[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        case .person:
            fields[.contentSecurityPolicy] = Self.pagePolicy
            fields[.permissionsPolicy] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
            fields[.xRobotsTag] = "noindex"
        }
    }
}
