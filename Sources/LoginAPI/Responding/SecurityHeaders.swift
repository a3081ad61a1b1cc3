import HTTPWire

/// The header fields that restrict what browsers do with a response.
package struct SecurityHeaders: Sendable {
    /// Who reads a response.
    package enum Audience: Sendable {
        /// An app, or another program that fetches a file.
        case api
        /// A user, in a browser.
        case browser
    }

    private let isHTTPS: Bool
    /// The Content-Security-Policy of pages.
    private let pagePolicy: String

    /// We send HSTS only if the public URL is https: over http it means nothing (RFC 6797 §7.2). `pageScript` is the
    /// source expression of the only script of the pages.
    init(publicURL: String, pageScript source: String) {
        self.isHTTPS = publicURL.hasPrefix("https://")
        self.pagePolicy = Self.policy(scriptSource: source)
    }

    /// A page may load our own style, images and fonts, and run this one script, which may call only this server. Its
    /// form may go only to this server too, and no frame may show it.
    static func policy(scriptSource: String) -> String {
        "default-src 'none'; script-src \(scriptSource); connect-src 'self'; style-src 'self'; img-src 'self'; "
            + "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    }

    package func add(to fields: inout Fields, for reader: Audience) {
        fields[.xContentTypeOptions] = "nosniff"
        fields[.referrerPolicy] = "no-referrer"
        if self.isHTTPS { fields[.strictTransportSecurity] = "max-age=31536000" }
        switch reader {
        case .api:
            fields[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        case .browser:
            fields[.contentSecurityPolicy] = self.pagePolicy
            fields[.permissionsPolicy] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
            fields[.xRobotsTag] = "noindex"
        }
    }
}
