import Base
import EventLoop
import Outbound

package struct BrowserError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// A browser that follows a login through redirects and forms, with the user who approves at once.
package final class Browser: Sendable {
    private let client: OutboundClient

    /// `authority` is the path of a PEM file, if a provider has TLS.
    package init(loop: EventLoop, connections: Int, authority: String? = nil) throws {
        var settings = OutboundSettings(allowedHosts: ["127.0.0.1", "localhost"])
        settings.allowInsecureLoopback = true
        settings.maxConnections = connections
        settings.caFile = authority
        self.client = try OutboundClient(loop: loop, settings: settings)
    }

    package func close() async { await self.client.close() }

    package func get(_ url: String) async throws -> OutboundResponse { try await self.send(.get, url, []) }

    /// Opens a page of the party at `origin` that demands a login. Returns the page that ends it.
    package func logIn(at start: String, of origin: String, fault: String) async throws -> OutboundResponse {
        var cookies: [String: String] = [:]
        let answer = try await self.follow(start, of: origin, &cookies)
        guard let provider = answer["location"] else { throw BrowserError("it sends nobody to the provider") }
        let callback = try await self.approve(at: provider, fault: fault)
        return try await self.follow(callback, of: origin, &cookies)
    }

    /// Acts as the user at the sandbox's authorize page. Returns the URL of the callback. `fault` is a mistake that the
    /// sandbox makes then.
    func approve(at provider: String, fault: String = "") async throws -> String {
        let page = try await self.get(provider)
        let text = String(decoding: page.body, as: UTF8.self)
        guard page.status == 200, let mark = text.range(of: #"name="login" value=""#)?.upperBound else {
            throw BrowserError("the provider's page has no form: \(page.status)")
        }
        let login = text[mark...].prefix { $0 != "\"" }
        let issuer = provider.split(separator: "/", maxSplits: 3)[0...1].joined(separator: "//")
        let decided = try await self.send(
            .post, "\(issuer)/decision", [Parameter("Content-Type", "application/x-www-form-urlencoded")],
            Array("login=\(login)&decision=approve&fault=\(fault)".utf8))
        guard decided.status == 303, let callback = decided["location"] else {
            throw BrowserError("the provider sends nobody back")
        }
        return callback
    }

    /// Follows the redirects within an origin. Returns the first response that leads elsewhere or nowhere.
    private func follow(
        _ url: String, of origin: String, _ cookies: inout [String: String]
    ) async throws -> OutboundResponse {
        var url = url
        for _ in 0..<8 {
            let cookie = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
            let answer = try await self.send(.get, url, cookie.isEmpty ? [] : [Parameter("Cookie", cookie)])
            for field in answer.fields where field.name.lowercased() == "set-cookie" {
                let pair = field.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
                guard let name = pair.first else { continue }
                cookies[String(name)] = pair.count > 1 ? String(pair[1]) : nil
            }
            guard let location = answer["location"] else { return answer }
            let next = location.hasPrefix("/") ? origin + location : location
            guard next.hasPrefix(origin) else { return answer }
            url = next
        }
        throw BrowserError("it redirects in a circle")
    }

    func send(
        _ method: OutboundRequest.Method, _ url: String, _ fields: [Parameter], _ body: [UInt8] = []
    ) async throws -> OutboundResponse {
        try await self.client.send(
            OutboundRequest(method: method, url: url, fields: fields, body: body, deadline: .seconds(60)))
    }
}
