import Base
import Cryptography
import HTTPServer

/// How an app looks on the pages: its colours and logos, served as files whose names are hashes of what they contain,
/// and a link to its support.
package struct AppLook: Equatable, Sendable {
    /// A file that never changes, because another content has another name.
    package struct File: Equatable, Sendable {
        let name: String
        let bytes: [UInt8]

        /// `ending` is the usual one of the type, such as `svg`.
        package init(_ stem: String, _ bytes: [UInt8], ending: String) {
            self.name = "\(stem)-\(Base64URL.encode(Digest.sha256.hash(bytes).prefix(16))).\(ending)"
            self.bytes = bytes
        }

        var path: String { PathPattern.asset.path(self.name) }
    }

    /// Sets the accents. Nil if they are the usual ones.
    let style: File?
    let logo: File?
    let logoDark: File?
    let supportURL: String?

    /// The accents are CSS colours, for light pages and for dark ones.
    package init(
        accent: String? = nil, accentDark: String? = nil, logo: File? = nil, logoDark: File? = nil,
        supportURL: String? = nil
    ) {
        // Each one only in its own scheme: an accent for light pages would be unreadable on dark ones.
        let rules = [("light", accent), ("dark", accentDark)].compactMap { scheme, color in
            color.map { "@media (prefers-color-scheme: \(scheme)) { :root { --button: \($0); } }\n" }
        }
        self.style = rules.isEmpty ? nil : File("look", Array(rules.joined().utf8), ending: "css")
        self.logo = logo
        self.logoDark = logoDark
        self.supportURL = supportURL
    }

    var files: [File] { [self.style, self.logo, self.logoDark].compactMap { $0 } }
}
