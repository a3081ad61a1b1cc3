import Base
import Brokers
import Cryptography
import HTTPServer
import HTTPWire
import JOSE
import StrictJSON

/// The static files that anyone may fetch. They are kept in memory, and compressed once.
package struct PublicFiles: Sendable {
    let openAPI: StaticFile
    /// The part of it that apps need.
    let openAPIForApps: StaticFile
    /// Search engines find no page here: each belongs to one person, for a few minutes.
    let robots = StaticFile(
        bytes: Array("User-agent: *\nDisallow: /\n".utf8), contentType: "text/plain; charset=utf-8",
        cacheControl: "public, max-age=86400")
    /// By the name of the file in `assets`.
    let assets: [String: StaticFile]
    /// For the APIs of apps. Nil if there are no assertions.
    let discovery: StaticFile?
    /// The keys in files. Without sessions there are none of access tokens.
    let keySets: [AutomaticKeySets.Name: JWKSet]
    /// Nil if no key changes by itself.
    let automaticKeys: AutomaticKeySets?

    package init(
        _ folder: PublicFolder, assertionKeys: JWKSet, clientKeys: JWKSet, discovery: JSON? = nil,
        accessKeys: JWKSet? = nil, automaticKeys: AutomaticKeySets? = nil, looks: [AppLook] = []
    ) throws(OperatorError) {
        self.openAPI = StaticFile(yaml: try folder.bytes(of: "openapi.yaml"))
        self.openAPIForApps = StaticFile(yaml: try folder.bytes(of: "openapi-app.yaml"))
        var keySets: [AutomaticKeySets.Name: JWKSet] = [.assertion: assertionKeys, .client: clientKeys]
        keySets[.access] = accessKeys
        self.keySets = keySets
        self.automaticKeys = automaticKeys
        self.discovery = discovery.map { StaticFile(json: $0) }
        var assets: [String: StaticFile] = [:]
        for name in folder.names(in: "assets") {
            guard let type = Self.contentType(of: name) else {
                throw folder.failure("assets/\(name)", "has an unknown type: use css, svg, png, ico, woff2 or txt")
            }
            assets[name] = StaticFile(
                bytes: try folder.bytes(of: "assets/\(name)"), contentType: type, cacheControl: "public, max-age=3600")
        }
        for file in looks.flatMap(\.files) {
            assets[file.name] = StaticFile(
                bytes: file.bytes, contentType: Self.contentType(of: file.name) ?? "application/octet-stream",
                cacheControl: "public, max-age=31536000, immutable")
        }
        self.assets = assets
    }

    /// Checks that each provider's logo is a file in `assets`, unless it is a URL.
    package func checkLogos(of providers: [Provider], in folder: PublicFolder) throws(OperatorError) {
        for provider in providers {
            guard let logo = provider.logo, !logo.hasPrefix("https://"), self.assets[logo] == nil else { continue }
            throw folder.failure("assets/\(logo)", "is missing, but is the logo of providers.\(provider.id)")
        }
    }

    static func contentType(of name: String) -> String? {
        switch name.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "ico": "image/vnd.microsoft.icon"
        case "woff2": "font/woff2"
        case "txt": "text/plain; charset=utf-8"
        default: nil
        }
    }
}

/// Makes the tag from the content, so the same bytes have the same tag on every machine.
extension StaticFile {
    init(bytes: [UInt8], contentType: String, cacheControl: String) {
        let hash = Base64URL.encode(Digest.sha256.hash(bytes).prefix(16))
        self.init(bytes: bytes, hash: hash, contentType: contentType, cacheControl: cacheControl)
    }
}

extension StaticFile {
    /// Makes the file of a key set, which readers may keep for `lifetime` seconds.
    init(keys: JWKSet, lifetime: Int = 300) {
        self.init(
            bytes: keys.json.encoded(), contentType: "application/jwk-set+json",
            cacheControl: "public, max-age=\(lifetime)")
    }

    /// JSON that may be five minutes old, so that a change of the configuration is soon seen.
    init(json: JSON) {
        self.init(bytes: json.encoded(), contentType: "application/json", cacheControl: "public, max-age=300")
    }

    /// YAML that may be as old.
    fileprivate init(yaml bytes: [UInt8]) {
        self.init(bytes: bytes, contentType: "application/yaml", cacheControl: "public, max-age=300")
    }
}
