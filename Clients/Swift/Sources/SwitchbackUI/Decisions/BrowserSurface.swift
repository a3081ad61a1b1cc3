import Foundation
import SwitchbackClient

/// What a login was opened in, as it is stored: a browser knows a login by its cookies, so a login that goes on in
/// another one is lost.
struct BrowserSurface: Codable, Hashable, Sendable {
    let surface: Surface
    /// What ends the auth session; nil for every other surface.
    var callback: SessionCallback?
    /// Whether the auth session shares no cookies with Safari.
    var isEphemeral = false
}

/// The link that ends an auth session.
enum SessionCallback: Codable, Hashable, Sendable {
    case https(host: String, path: String)
    case scheme(String)

    /// Reads what the server says. The system traps on a host or a scheme that it does not take, so what is malformed
    /// is nil. Sessions that end at an https link need iOS 17.4.
    init?(_ launch: BrowserLaunch, hasHTTPS: Bool) {
        if let link = launch.callback.flatMap(URLComponents.init(string:)), link.scheme?.lowercased() == "https" {
            guard hasHTTPS, let host = link.host, !host.isEmpty else { return nil }
            self = .https(host: host, path: link.path)
        } else if let scheme = launch.callbackScheme, Self.isScheme(scheme) {
            self = .scheme(scheme)
        } else {
            return nil
        }
    }

    /// RFC 3986 §3.1, and none of the web.
    private static func isScheme(_ text: String) -> Bool {
        let bytes = Array(text.lowercased().utf8)
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        guard let first = bytes.first, letters.contains(first), text.utf8.count < 200 else { return false }
        let others = (UInt8(ascii: "0")...UInt8(ascii: "9"), Array("+-.".utf8))
        return !["http", "https"].contains(text.lowercased())
            && bytes.allSatisfy { letters.contains($0) || others.0.contains($0) || others.1.contains($0) }
    }
}
