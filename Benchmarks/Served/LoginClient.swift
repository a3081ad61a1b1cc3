import Base
import Foundation
import Outbound
import StrictJSON

/// The app, its browser and the user, who approves at once: everything in a login except the server.
package final class LoginClient: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// The prefix of the links that open the app.
    static let returnPrefix = "https://app.example/r/"

    private let server: String
    private let browser: Browser

    init(server: String, browser: Browser) {
        self.server = server
        self.browser = browser
    }

    func close() async { await self.browser.close() }

    /// Whether a server runs and responds with 200.
    func answers(_ url: String) async -> Bool {
        (try? await self.send(.get, url, expecting: 200)) != nil
    }

    package struct Created: Sendable {
        let url: String
        let opening: String
        package let secret: String

        var authorization: Parameter { Parameter("Authorization", "Bearer \(self.secret)") }
    }

    /// Creates a login, for the session of this key if it is not nil.
    package func create(key thumbprint: String? = nil) async throws -> Created {
        let secret = Base64URL.encode(RandomBytes.make(32))
        var body: JSON.Object = ["provider": "demo", "poll_secret": .string(secret)]
        body["dpop_jkt"] = thumbprint.map(JSON.string)
        let answer = try await self.send(
            .post, "\(self.server)/v1/logins", [Self.json], JSON.object(body).encoded(), expecting: 201)
        guard let login = try? JSON(parsing: answer.body), let id = login["id"]?.string,
            let opening = login["next"]?["url"]?.string
        else { throw Failure(description: "the created login has no ID or no URL to open") }
        return Created(url: "\(self.server)/v1/logins/\(id)", opening: opening, secret: secret)
    }

    /// Runs a login from its start to the result, which is then deleted.
    package func logIn() async throws {
        guard try await self.logIn(fault: "") else { throw Failure(description: "a login has failed") }
    }

    /// The same, with a mistake of the provider. Returns whether the login has completed.
    package func logIn(fault: String) async throws -> Bool {
        let created = try await self.create()
        let (callback, _) = try await self.approve(created.opening, fault: fault)
        _ = try await self.send(.get, callback, expecting: 303)
        while true {
            let fields = [created.authorization, Parameter("Prefer", "wait=10")]
            let answer = try await self.send(.get, created.url, fields, expecting: 200)
            let login = try JSON(parsing: answer.body)
            guard login["final"]?.bool == true else { continue }
            _ = try await self.send(.delete, created.url, [created.authorization], expecting: 204)
            return login["status"]?.string == "completed"
        }
    }

    /// Runs a login to its result, with the link of the done page as its proof. Returns its poll secret.
    package func logIn(key thumbprint: String) async throws -> String {
        let created = try await self.create(key: thumbprint)
        let (callback, cookie) = try await self.approve(created.opening)
        let done = try Self.location(of: try await self.send(.get, callback, [cookie], expecting: 303))
        // The exchange of the code ends after its callback, and the page has the link then.
        for _ in 0..<500 {
            let page = try await self.send(.get, done, [cookie], expecting: 200)
            let text = String(decoding: page.body, as: UTF8.self)
            guard let start = text.range(of: "href=\"\(Self.returnPrefix)")?.lowerBound else {
                try await Task.sleep(for: .milliseconds(10))
                continue
            }
            let link = text[start...].dropFirst("href=\"".count).prefix { $0 != "\"" }
            let body: JSON = ["url": .string(String(link).replacing("&amp;", with: "&"))]
            _ = try await self.send(
                .post, "\(created.url)/return", [created.authorization, Self.json], body.encoded(), expecting: 200)
            return created.secret
        }
        throw Failure(description: "the done page has no link")
    }

    /// Acts as the broker. Returns the callback's URL, and the cookie that its browser has.
    private func approve(_ opening: String, fault: String = "") async throws -> (callback: String, cookie: Parameter) {
        let opened = try await self.send(.get, opening, expecting: 303)
        let callback = try await self.browser.approve(at: try Self.location(of: opened), fault: fault)
        let cookie = String(opened["set-cookie"]?.prefix { $0 != ";" } ?? "")
        return (callback, Parameter("Cookie", cookie))
    }

    private static let json = Parameter("Content-Type", "application/json")

    private static func location(of answer: OutboundResponse) throws -> String {
        guard let location = answer["location"] else { throw Failure(description: "no redirect") }
        return location
    }

    package func send(
        _ method: OutboundRequest.Method, _ url: String, _ fields: [Parameter] = [],
        _ body: [UInt8] = [], expecting status: Int
    ) async throws -> OutboundResponse {
        // Our own redirects may be relative.
        let url = url.hasPrefix("/") ? self.server + url : url
        let answer = try await self.browser.send(method, url, fields, body)
        guard answer.status == status else {
            throw Failure(description: "\(method.rawValue) got status \(answer.status), not \(status)")
        }
        return answer
    }
}
