/// The app, its browser and the user, who approves at once: everything in a login except the server.
import Base
import EventLoop
import Foundation
import Outbound
import StrictJSON

final class LoginClient: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let server: String
    private let client: OutboundClient

    init(server: String, loop: EventLoop, connections: Int) throws {
        var settings = OutboundSettings(allowedHosts: ["127.0.0.1", "localhost"])
        settings.allowInsecureLoopback = true
        settings.maxConnections = connections
        self.server = server
        self.client = try OutboundClient(loop: loop, settings: settings)
    }

    func close() async { await self.client.close() }

    /// Whether a server runs and responds with 200.
    func answers(_ url: String) async -> Bool {
        (try? await self.send(.get, url, expecting: 200)) != nil
    }

    struct Created: Sendable {
        let url: String
        let opening: String
        let authorization: Parameter
    }

    func create() async throws -> Created {
        let secret = Base64URL.encode(RandomBytes.make(32))
        let answer = try await self.send(
            .post, "\(self.server)/v1/logins", [Parameter("Content-Type", "application/json")],
            #"{"provider":"demo","poll_secret":"\#(secret)"}"#, expecting: 201)
        guard let login = try? JSON(parsing: answer.body), let id = login["id"]?.string,
            let opening = login["next"]?["url"]?.string
        else { throw Failure(description: "the created login has no ID or no URL to open") }
        return Created(
            url: "\(self.server)/v1/logins/\(id)", opening: opening,
            authorization: Parameter("Authorization", "Bearer \(secret)"))
    }

    /// Runs a login from its start to the result, which is then deleted.
    func logIn() async throws {
        let created = try await self.create()
        let callback = try await self.approve(created.opening)
        _ = try await self.send(.get, callback, expecting: 303)
        while true {
            let fields = [created.authorization, Parameter("Prefer", "wait=10")]
            let answer = try await self.send(.get, created.url, fields, expecting: 200)
            let login = try JSON(parsing: answer.body)
            guard login["final"]?.bool == true else { continue }
            guard login["status"]?.string == "completed" else {
                throw Failure(description: "a login ended as \(login["reason"]?["code"]?.string ?? "unknown")")
            }
            break
        }
        _ = try await self.send(.delete, created.url, [created.authorization], expecting: 204)
    }

    /// Acts as the broker, and returns the callback's URL.
    private func approve(_ opening: String) async throws -> String {
        let opened = try await self.send(.get, opening, expecting: 303)
        let page = try await self.send(.get, try Self.location(of: opened), expecting: 200)
        let text = String(decoding: page.body, as: UTF8.self)
        let mark = #"name="login" value=""#
        guard let start = text.range(of: mark)?.upperBound else {
            throw Failure(description: "the broker's page has no form")
        }
        let login = text[start...].prefix { $0 != "\"" }
        let issuer = try Self.location(of: opened).split(separator: "/", maxSplits: 3)[0...1].joined(separator: "//")
        let decided = try await self.send(
            .post, "\(issuer)/decision", [Parameter("Content-Type", "application/x-www-form-urlencoded")],
            "login=\(login)&decision=approve", expecting: 303)
        return try Self.location(of: decided)
    }

    private static func location(of answer: OutboundResponse) throws -> String {
        guard let location = answer["location"] else { throw Failure(description: "no redirect") }
        return location
    }

    private func send(
        _ method: OutboundRequest.Method, _ url: String, _ fields: [Parameter] = [],
        _ body: String = "", expecting status: Int
    ) async throws -> OutboundResponse {
        let answer = try await self.client.send(
            OutboundRequest(
                method: method, url: url, fields: fields, body: Array(body.utf8),
                deadline: .seconds(60)))
        guard answer.status == status else {
            throw Failure(description: "\(method.rawValue) got status \(answer.status), not \(status)")
        }
        return answer
    }
}
