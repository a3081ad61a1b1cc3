/// The cookie that a browser gets with an opening. It says one of two things, one after the other:
///
/// - This browser set out with the opening. It goes on with it when it comes again, and a switch proof counts when the
///   broker's answer comes with this cookie: whoever forwards an authorize URL to somebody else has the proof in it, but
///   only his own browser has the cookie.
/// - This browser brought the broker's answer. It may see the page again, from the app's `next.url`. The browser that only
///   set out may not: it may be another person's.
///
/// No login needs it.
import Base

package struct OpeningCookie: Equatable, Sendable {
    /// `__Host-` binds it to this host, and to https (RFC 6265bis §4.1.3.2).
    package let name: String
    package let value: String

    /// For the browser that sets out.
    init(_ login: LoginID, opening: [UInt8], under key: ServerKey) {
        self.name = Self.name(of: opening)
        self.value = Base64URL.encode(key.trace(of: "cookie", opening, id: login).prefix(16))
    }

    /// For the browser that brought this response.
    init(_ login: LoginID, _ taken: TakenResponse, under key: ServerKey) {
        self.name = Self.name(of: taken.opening)
        let code = key.page.code { message in
            message.append("cookie")
            message.append(login)
            message.append(taken.opening)
            message.append(taken.hash)
        }
        self.value = Base64URL.encode(code.array(16))
    }

    /// How all of their names begin.
    package static let namePrefix = "__Host-sb-"

    static func name(of opening: [UInt8]) -> String { Self.namePrefix + Base64URL.encode(opening) }

    func isAmong(_ cookies: [Parameter]) -> Bool {
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
