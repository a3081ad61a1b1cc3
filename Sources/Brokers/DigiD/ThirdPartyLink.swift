/// A link to a third-party app that the resolver made. It is used only if it leads to an app that the configuration
/// lists.
import Base
import OpenIDConnect

struct ThirdPartyLink: Equatable, Sendable {
    /// In bytes. A signed request in a link is long.
    private static let limit = 8192

    let text: String

    /// Throws why the link is refused, in our words.
    init(_ link: String, of apps: ThirdPartyApps) throws(ForeignAppLinkError) {
        // The link becomes JSON and text on a page, so it must not contain characters that end either.
        guard link.utf8.count <= Self.limit, link.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            !link.contains(where: { "#\"<>\\".contains($0) })
        else { throw ForeignAppLinkError("text") }
        guard let location = EndpointURL(String(link.prefix { $0 != "?" })), !Self.climbs(location.path),
            apps.links.contains(where: { Self.leads(location, to: $0) })
        else { throw ForeignAppLinkError("elsewhere") }
        self.text = link
    }

    private static func leads(_ location: EndpointURL, to app: EndpointURL) -> Bool {
        let folder = app.path.hasSuffix("/") ? app.path : app.path + "/"
        return identical(location.origin, app.origin)
            && (identical(location.path, app.path) || "\(location.path)/".utf8.starts(with: folder.utf8))
    }

    /// Whether a path has a segment that leads up (RFC 3986 §5.2.4), and so out of the folder that is listed.
    private static func climbs(_ path: String) -> Bool {
        path.split(separator: "/").contains { segment in
            [".", ".."].contains(segment.lowercased().replacing("%2e", with: "."))
        }
    }
}
