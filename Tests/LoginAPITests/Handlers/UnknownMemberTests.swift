import HTTPWire
import Logins
import Testing

/// Tests a newer app at an older server: the server ignores and names unknown members, or refuses them on request (RFC
/// 7240 §4.4).
@Suite struct UnknownMemberTests {
    /// The three requests that have a body, with one member of a later version.
    enum Asked: CaseIterable {
        case create
        case handleReturn
        case cancel

        func send(_ app: BenchApp, _ more: Fields = [:]) async throws -> Response {
            let fields = app.bearer.adding(.contentType, "application/json")
            switch self {
            case .create:
                return try await app.bench.send(
                    .post, "/v1/logins", more.adding(.contentType, "application/json"),
                    body: """
                        {"provider": "eid", "poll_secret": "\(app.secret.exposedText)", "haptics": {"strong": true}}
                        """)
            case .handleReturn:
                return try await app.bench.send(
                    .post, "\(app.path)/return", Self.merged(fields, more), body: "{\"url\": null, \"haptics\": 1}")
            case .cancel:
                return try await app.bench.send(
                    .post, "\(app.path)/cancel", Self.merged(fields, more), body: "{\"haptics\": \"x\"}")
            }
        }

        private static func merged(_ fields: Fields, _ more: Fields) -> Fields {
            more.reduce(fields) { $0.adding($1.name, $1.value) }
        }
    }

    @Test(arguments: Asked.allCases) func `an unknown member is ignored and named`(_ asked: Asked) async throws {
        let app = BenchApp(bench: try HandlerBench())
        if asked != .create { _ = try await app.create() }
        let answer = try await asked.send(app)
        #expect(answer.status == (asked == .create ? .created : .ok))
        #expect(answer.json["ignored_members"] == ["haptics"])
        #expect(answer.fields[.preferenceApplied] == nil)
        // The response names it for the request, not for the login.
        #expect(try await app.poll().json["ignored_members"] == nil)
    }

    @Test(arguments: Asked.allCases) func `an unknown member is refused on request`(_ asked: Asked) async throws {
        let app = BenchApp(bench: try HandlerBench())
        if asked != .create { _ = try await app.create() }
        #expect(try await asked.send(app, [.prefer: "handling=strict"]).brief == "400 unknown_member haptics")
        // Nothing has changed.
        #expect(try await app.poll().brief == (asked == .create ? "404 unknown_login" : "200"))
        #expect(try await app.poll().json["reason"] == nil)
    }

    @Test func `a response says what was read strictly`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        let back = try await app.post("return", [.prefer: "handling=strict"], body: "{\"url\": null}")
        #expect(back.fields[.preferenceApplied] == "handling=strict")
        #expect(back.json["ignored_members"] == nil)
        let cancel = try await app.post("cancel", [.prefer: "wait=3, handling=strict"], body: "{}")
        #expect(cancel.fields[.preferenceApplied] == "wait=3, handling=strict")
        #expect(cancel.json["status"] == "cancelled")
    }

    /// A retry without the unknown member is the same login.
    @Test func `an unknown member is no part of the login`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        #expect(try await Asked.create.send(app).status == .created)
        #expect(try await app.create().status == .ok)
    }

    @Test(arguments: [
        ("[1]", "400 malformed_json"), ("{\"a\":1,\"a\":1}", "400 malformed_json"), ("{}", "200"), ("", "200"),
    ])
    func `the body of a cancel is an object if there is one`(_ body: String, _ brief: String) async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        #expect(try await app.post("cancel", body: body).brief == brief)
    }
}
