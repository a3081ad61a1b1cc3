import Base
import OpenIDConnect

/// A link to a third-party app that the resolver made. It is used only if it leads to an app that the configuration
/// lists.
struct ThirdPartyLink: Equatable, Sendable {
    /// In bytes. A signed request in a link is long.
    private static let limit = 8192

    let text: String

    /// Throws why the link is refused, in our words.
    init(_ link: String, of apps: ThirdPartyApps) throws(BrokerError) {
        // The link becomes JSON and text on a page, so it must not contain characters that end either.
        guard link.utf8.count <= Self.limit, link.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            !link.contains(where: { "#\"<>\\".contains($0) })
        else { throw BrokerError(.unavailable, .appLink(.text)) }
        guard let location = EndpointURL(String(link.prefix { $0 != "?" })), Self.isPlain(location.path),
            apps.links.contains(where: { Self.leads(location, to: $0) })
        else { throw BrokerError(.unavailable, .appLink(.elsewhere)) }
        self.text = link
    }

    private static func leads(_ location: EndpointURL, to app: EndpointURL) -> Bool {
        let folder = app.path.hasSuffix("/") ? app.path : app.path + "/"
        return identical(location.origin, app.origin)
            && (identical(location.path, app.path) || "\(location.path)/".utf8.starts(with: folder.utf8))
    }

    /// Whether every server and phone reads the path alike: no segment leads up (RFC 3986 §5.2.4), and nothing is escaped
    /// or a parameter, which some read as a slash or a dot. So no path leads out of the folder that is listed.
    private static func isPlain(_ path: String) -> Bool {
        path.utf8.allSatisfy { $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "\\") }
            && !path.split(separator: "/").contains { $0 == "." || $0 == ".." }
    }
}
