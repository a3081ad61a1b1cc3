import HTTPWire
import Logins
import Testing

/// Tests what an app gets from create to delete, with a memory store and a provider that responds at once.
@Suite(.timeLimit(.minutes(1))) struct AppHandlerTests {
    /// Sources: D8, E8.
    @Test func `a create is answered with the login`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        let answer = try await app.create(["platform": "ios", "parameters": ["market": "NO"]])
        #expect(answer.status == .created)
        #expect(answer.fields[.location] == app.path)
        #expect(answer.fields[.etag] == "W/\"1\"")
        #expect(answer.fields[.cacheControl] == "no-store, no-transform")
        #expect(answer.json["id"]?.string == app.secret.loginID.description)
        #expect(answer.json["poll_secret"] == nil)
        #expect(answer.json["next"]?["action"] == "open_browser")
    }

    @Test func `the same create is the same login`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        let first = try await app.create()
        let second = try await app.create()
        #expect(second.status == .ok)
        #expect(second.json["id"] == first.json["id"])
        #expect(second.fields[.location] == first.fields[.location])
        #expect(try await app.create(["locale": "da"]).brief == "422 different_body")
    }

    /// Sources: E17.
    @Test func `a client without a secret gets one, once`() async throws {
        let bench = try HandlerBench()
        let answer = try await bench.send(
            .post, "/v1/logins", [.contentType: "application/json"], body: "{\"provider\": \"eid\"}")
        let secret = try #require(answer.json["poll_secret"]?.string)
        let path = try #require(answer.fields[.location])
        #expect(PollSecret(secret) != nil)
        let poll = try await bench.send(.get, path, [.authorization: "Bearer \(secret)"])
        #expect(poll.status == .ok)
        #expect(poll.json["poll_secret"] == nil)
    }

    @Test(arguments: [
        ("{\"provider\": \"nobody\"}", "422 unknown_provider provider"),
        ("{\"provider\": \"eid\", \"app\": \"nobody\"}", "422 unknown_app app"),
        (
            "{\"provider\": \"eid\", \"parameters\": {\"prompt\": \"none\"}}",
            "422 parameter_not_allowed parameters.prompt"
        ),
        ("{\"provider\": \"eid\", \"actions\": [\"enter_code\"]}", "422 action_required actions"),
        ("[", "400 malformed_json"),
    ]) func `a wrong create is refused`(_ body: String, _ brief: String) async throws {
        let answer = try await HandlerBench().send(.post, "/v1/logins", [.contentType: "application/json"], body: body)
        #expect(answer.brief == brief)
    }

    /// Sources: D23.
    @Test func `a login belongs to its secret`() async throws {
        let bench = try HandlerBench()
        let app = BenchApp(bench: bench)
        _ = try await app.create()
        let other = BenchApp(bench: bench)
        let wrong = try await bench.send(.get, app.path, other.bearer)
        let unknown = try await bench.send(.get, other.path, other.bearer)
        #expect(wrong.brief == "404 unknown_login")
        #expect(wrong.body.count == unknown.body.count)
        #expect(try await bench.send(.get, app.path).brief == "401 poll_secret_required")
        #expect(try await bench.send(.get, app.path + "?token=x", app.bearer).brief == "400 secret_in_query")
        for action in ["return", "cancel"] {
            #expect(try await bench.send(.post, "\(app.path)/\(action)").brief == "401 poll_secret_required")
            let answer = try await bench.send(
                .post, "\(app.path)/\(action)", other.bearer.adding(.contentType, "application/json"),
                body: "{\"url\":null}")
            #expect(answer.brief == "404 unknown_login")
        }
        #expect(try await bench.send(.delete, app.path, other.bearer).brief == "404 unknown_login")
    }

    @Test func `a whole login gives the identity`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        try await app.finish()
        let answer = try await app.poll([.prefer: "wait=20"])
        #expect(answer.json["status"] == "completed")
        #expect(answer.json["identity"]?["subject"] == "subject-1")
        #expect(answer.json["identity"]?["name"] == "Anne Ærlig")
        #expect(answer.json["identity"]?["claims"] == ["hair": "red"])
        #expect(answer.json["proof"] == "none")
        #expect(answer.json["next"] == nil)
    }

    @Test func `a cancel ends a login`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        let answer = try await app.post("cancel", [.prefer: "wait=5"])
        #expect(answer.fields[.preferenceApplied] == "wait=5")
        #expect(answer.json["status"] == "cancelled")
        #expect(answer.json["reason"] == ["code": "app_cancelled", "retryable": true])
        #expect(try await app.post("cancel").json["version"] == answer.json["version"])
    }

    @Test func `only what is final is deleted, and then it is gone`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        #expect(try await app.delete().brief == "409 not_final")
        _ = try await app.post("cancel")
        for _ in 0..<2 {
            let answer = try await app.delete()
            #expect(answer.status == .noContent)
            #expect(answer.body.isEmpty)
        }
        #expect(try await app.poll().brief == "410 gone")
        #expect(try await app.create().brief == "410 gone")
        #expect(try await app.post("cancel").brief == "410 gone")
    }

    @Test(arguments: [
        ("{\"url\": null}", "200"), ("{\"url\": \"\(HandlerBench.link)x\"}", "200"),
        ("{\"url\": \"https://evil.example/\"}", "422 not_ours url"), ("{}", "400 missing_member url"),
        ("{\"url\": 1}", "400 invalid_member url"), ("{\"url\": null, \"x\": 1}", "200"),
        ("{\"url\": \"\(HandlerBench.link)x\", \"code\": null}", "200"),
        ("{\"url\": \"\(HandlerBench.link)x\", \"code\": \"123456\"}", "400 invalid_member url"),
    ]) func `a return is accepted by its link`(_ body: String, _ brief: String) async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        let answer = try await app.post("return", body: body)
        #expect(answer.brief == brief)
    }

    @Test func `the start link says when to retry while the broker is unreachable`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        app.bench.provider.become(reachable: false)
        let link = try #require(try await app.create().json["next"]?["url"]?.string)
        let page = try await app.bench.load(link)
        #expect(page.status == .serviceUnavailable)
        #expect(page.fields[.retryAfter] != nil)
        app.bench.provider.become(reachable: true)
        #expect(try await app.poll().json["status"] == "pending")
    }
}

extension Fields {
    func adding(_ name: FieldName, _ value: String) -> Fields {
        var fields = self
        fields.add(name, value)
        return fields
    }
}
