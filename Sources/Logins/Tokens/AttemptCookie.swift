import Base

/// The cookie that a browser gets with an authorization attempt. Its value means one of two things, one after the
/// other:
///
/// - This browser started the attempt. It continues the same attempt when it comes back. A switch proof counts if the
///   authorization response arrives with this cookie: an attacker who forwards an authorize URL has the proof in it,
///   but the cookie is only in the attacker's own browser.
/// - This browser delivered the authorization response. It may see the page again, from the app's `next.url`. The
///   browser that only started the attempt may not, because it may belong to another user.
///
/// A login also works without the cookie.
package struct AttemptCookie: Equatable, Sendable {
    /// `__Host-` binds it to this host, and to https (RFC 6265bis §4.1.3.2).
    package let name: String
    package let value: String

    /// The cookie for the browser that starts the attempt.
    init(_ login: LoginID, attempt: [UInt8], under key: ServerKey) {
        self.name = Self.name(of: attempt)
        self.value = Base64URL.encode(key.trace(of: "cookie", attempt, id: login).prefix(16))
    }

    /// The cookie for the browser that delivered this response.
    init(_ login: LoginID, _ response: AcceptedResponse, under key: ServerKey) {
        self.init(
            login, attempt: response.attempt, pageCode: PageToken.pageCode(of: login, response, under: key), under: key)
    }

    /// The same cookie, with what a tombstone keeps of the response.
    private init(_ login: LoginID, attempt: [UInt8], pageCode: [UInt8], under key: ServerKey) {
        self.name = Self.name(of: attempt)
        let code = key.page.code { message in
            message.append("cookie")
            message.append(login)
            message.append(attempt)
            message.append(pageCode)
        }
        self.value = Base64URL.encode(code.array(16))
    }

    /// Returns whether one of the cookies is that of the browser that delivered the response of which a tombstone has
    /// kept this code.
    static func isAnyOfReturn(
        _ cookies: [Parameter], to login: LoginID, pageCode: [UInt8], under key: ServerKey
    ) -> Bool {
        guard !pageCode.isEmpty else { return false }
        return cookies.contains { cookie in
            guard cookie.name.hasPrefix(Self.namePrefix),
                let attempt = Base64URL.decode(String(cookie.name.dropFirst(Self.namePrefix.count)))
            else { return false }
            return Self(login, attempt: attempt, pageCode: pageCode, under: key).isAmong([cookie])
        }
    }

    /// The common prefix of all cookie names.
    package static let namePrefix = "__Host-sb-"

    static func name(of attempt: [UInt8]) -> String { Self.namePrefix + Base64URL.encode(attempt) }

    func isAmong(_ cookies: [Parameter]) -> Bool {
        cookies.contains { cookie in
            cookie.name == self.name && equalInConstantTime(Array(cookie.value.utf8), Array(self.value.utf8))
        }
    }
}

/// The value is hidden from logs, because anyone who has it passes for that browser.
extension AttemptCookie: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "OpeningCookie" }
    package var debugDescription: String { "OpeningCookie" }
}
