import Base
import HTTPServer

/// Where to report a security problem of this server, as `/.well-known/security.txt` says it (RFC 9116).
package struct SecurityContacts: Sendable {
    private let urls: [String]
    private let end: Timestamp

    package init(_ urls: [String], expire end: Timestamp) {
        self.urls = urls
        self.end = end
    }

    func file(publicURL: String) -> StaticFile {
        let lines =
            self.urls.map { "Contact: \($0)" } + [
                "Expires: \(self.end.rfc3339)", "Canonical: \(publicURL)\(PathPattern.securityText.path)",
            ]
        return StaticFile(
            bytes: Array(lines.map { $0 + "\n" }.joined().utf8), contentType: "text/plain; charset=utf-8",
            cacheControl: "public, max-age=300")
    }
}
