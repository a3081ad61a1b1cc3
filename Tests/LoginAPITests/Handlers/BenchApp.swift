import Base
import HTTPWire
import Logins
import StrictJSON
import Testing

/// An app and its user's browser on a bench: the steps of a whole login, one call each.
struct BenchApp: Sendable {
    let bench: HandlerBench
    let secret = PollSecret.make()
    /// More members of each create.
    var members: JSON.Object = [:]

    var path: String { "/v1/logins/\(self.secret.loginID)" }
    var bearer: Fields { [.authorization: "Bearer \(self.secret.exposedText)"] }

    func create(_ more: JSON.Object = [:]) async throws -> Response {
        var body: JSON.Object = ["provider": "eid", "poll_secret": .string(self.secret.exposedText)]
        for member in Array(self.members) + Array(more) { body[member.name] = member.value }
        return try await self.bench.send(
            .post, "/v1/logins", [.contentType: "application/json"],
            body: String(decoding: JSON.object(body).encoded(), as: UTF8.self))
    }

    func poll(_ more: Fields = [:]) async throws -> Response {
        try await self.bench.send(.get, self.path, self.fields(more))
    }

    func post(_ action: String, _ more: Fields = [:], body: String = "") async throws -> Response {
        var fields = self.fields(more)
        if !body.isEmpty { fields[.contentType] = "application/json" }
        return try await self.bench.send(.post, "\(self.path)/\(action)", fields, body: body)
    }

    func delete() async throws -> Response { try await self.bench.send(.delete, self.path, self.bearer) }

    func fields(_ more: Fields) -> Fields {
        var fields = self.bearer
        for name: FieldName in [.prefer, .ifNoneMatch, .accept, .lastEventID] {
            if let value = more[name] { fields[name] = value }
        }
        return fields
    }

    // MARK: - The browser

    /// Opens the link of the login; returns the query that the broker gets.
    func open(from client: String = "192.0.2.1") async throws -> [String: String] {
        let link = try #require(try await self.create().json["next"]?["url"]?.string)
        let answer = try await self.bench.load(link, from: client)
        let location = try #require(answer.fields[.location])
        let query = try FormBody.parse(
            String(location[location.index(after: try #require(location.firstIndex(of: "?")))...]))
        return Dictionary(query.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the parameters of a callback after the user approved.
    func approve(from client: String = "192.0.2.1") async throws -> String {
        let request = try await self.open(from: client)
        let code = self.bench.provider.approve(nonce: try #require(request["nonce"]))
        return FormBody.encode([Parameter("code", code), Parameter("state", try #require(request["state"]))])
    }

    /// Takes the browser through the whole login; returns the path of its page.
    @discardableResult
    func finish() async throws -> String {
        let answer = try await self.bench.send(.get, "/callback/fake?\(try await self.approve())")
        return try #require(answer.fields[.location])
    }
}

extension Response {
    var json: JSON { (try? JSON(parsing: self.body)) ?? .null }

    var text: String { String(decoding: self.body, as: UTF8.self) }

    /// `400 invalid_member platform`, `200`.
    var brief: String {
        ([String(self.status.rawValue)] + ["code", "member"].compactMap { self.json[$0]?.string }).joined(
            separator: " ")
    }
}
