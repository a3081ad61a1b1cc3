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

    private let isHTTPS: Bool
    /// What a page may do.
    private let pagePolicy: String

    /// HSTS is promised only where the public URL is https: elsewhere it means nothing (RFC 6797 §7.2).
    /// `pageScript` is what the policy of pages calls their one script.
    init(publicURL: String, pageScript source: String) {
        self.isHTTPS = publicURL.hasPrefix("https://")
        self.pagePolicy = Self.policy(scriptSource: source)
    }

    /// A page loads our own style and images, runs this one script, which asks this server only, and nothing else. It has no
    /// form, and is shown in no frame.
    static func policy(scriptSource: String) -> String {
        "default-src 'none'; script-src \(scriptSource); connect-src 'self'; style-src 'self'; img-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }

    package func add(to fields: inout Fields, for reader: Reader) {
        fields[.xContentTypeOptions] = "nosniff"
        fields[.referrerPolicy] = "no-referrer"
        if self.isHTTPS { fields[.strictTransportSecurity] = "max-age=31536000" }
        switch reader {
        case .program:
            fields[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        case .person:
            fields[.contentSecurityPolicy] = self.pagePolicy
            fields[.permissionsPolicy] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
            fields[.xRobotsTag] = "noindex"
        }
    }
}
