/// The cookie that a browser gets with an opening: it shows that the broker's answer comes by the browser that set out.
///
/// No login needs it. It only decides whether a switch proof counts: whoever forwards an authorize URL to somebody else has
/// the proof in it, but his own browser has the cookie.
import JOSE

package struct OpeningCookie: Equatable, Sendable {
    /// `__Host-` binds it to this host, and to https (RFC 6265bis §4.1.3.2).
    package let name: String
    package let value: String

    init(_ login: LoginID, opening: [UInt8], under key: ServerKey) {
        self.name = Self.name(of: opening)
        self.value = Base64URL.encode(key.trace(of: "cookie", opening, id: login).prefix(16))
    }

    static func name(of opening: [UInt8]) -> String { "__Host-sb-" + Base64URL.encode(opening) }

    func isAmong(_ cookies: [(name: String, value: String)]) -> Bool {
        cookies.contains { cookie in
            cookie.name == self.name && equalInConstantTime(Array(cookie.value.utf8), Array(self.value.utf8))
        }
    }
}

/// Who has it is taken for that browser.
extension OpeningCookie: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "OpeningCookie" }
    package var debugDescription: String { "OpeningCookie" }
}
