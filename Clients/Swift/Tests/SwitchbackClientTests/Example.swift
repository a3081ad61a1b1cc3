import Foundation

@testable import SwitchbackClient

/// Responses and records for the tests.
enum Example {
    static let server = URL(string: "https://login.example") ?? URL(fileURLWithPath: "/")
    static let id = "q83vEjRWeJASNFZ4kBI0Vg"
    static let prefix = "https://app.example/r/"
    static let go = "https://login.example/go/abc"

    static func record(
        _ name: String = "mitid", login: String? = nil, acknowledged: Bool = false, surface: Surface = .tab
    ) -> SavedLogin {
        var numbers: UInt64 = 0
        let secret = PollSecret {
            numbers += 1
            return numbers
        }
        var record = SavedLogin(
            NewLogin(provider: name, platform: .ios, surface: surface, locale: "da-DK"), secret: secret,
            startedAt: Date(timeIntervalSince1970: 1_800_000_000))
        record.login = login
        if login != nil { record.returnPrefixes = [Self.prefix] }
        record.isAcknowledged = acknowledged
        return record
    }

    static let openBrowser =
        #"{"action": "open_browser", "url": "\#(Example.go)", "surfaces": ["auth_session", "tab"]}"#

    /// Returns a login as the server reports it. `next` and `more` are JSON.
    static func login(
        _ status: String = "pending", version: Int = 1, next: String? = Example.openBrowser, more: String = ""
    ) -> HTTPResponse {
        let isFinal = ["completed", "failed", "cancelled", "expired"].contains(status)
        let ahead = isFinal ? "" : next.map { #", "next": \#($0)"# } ?? ""
        let body = """
            {"id": "\(Self.id)", "status": "\(status)", "final": \(isFinal), "version": \(version), "app": "demo",
             "provider": "mitid", "reference": "K7QX-2M4P", "expires_at": "2026-03-01T12:10:00Z", "expires_in": 600,
             "return_prefixes": ["\(Self.prefix)"], "poll": {"wait": 25, "interval": 2, "after_ms": 0}\(ahead)\(more)}
            """
        return HTTPResponse(
            status: 200, fields: ["Content-Type": "application/json", "ETag": "W/\"\(version)\""],
            body: Data(body.utf8))
    }

    static func problem(_ status: Int, _ code: String, retryAfter: Int? = nil, more: String = "") -> HTTPResponse {
        var fields = ["Content-Type": "application/problem+json"]
        if let retryAfter { fields["Retry-After"] = String(retryAfter) }
        let body =
            #"{"title": "t", "status": \#(status), "code": "\#(code)", "detail": "d", "request_id": "r"\#(more)}"#
        return HTTPResponse(status: status, fields: fields, body: Data(body.utf8))
    }

    static func page(_ status: Int) -> HTTPResponse {
        HTTPResponse(status: status, fields: ["Content-Type": "text/html"], body: Data("<html>Sign in</html>".utf8))
    }
}
