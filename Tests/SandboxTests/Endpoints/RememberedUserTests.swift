import Base
import Sandbox
import Testing

/// Vipps remembers a user in the browser: the next login there passes without its page, unless it has to be a fresh
/// one.
@Suite struct RememberedUserTests {
    private static let tick = [Parameter("remember", "yes")]

    private static func request(_ stage: Stage, _ changes: [String: String?] = [:]) -> [Parameter] {
        stage.request(changes.merging(["state": "long enough for Vipps"]) { $1 })
    }

    /// Logs in, and returns the browser's cookies after that.
    private static func remember(_ stage: Stage, _ person: String = "ingrid") async throws -> [String] {
        let page = try await stage.walk.open(Self.request(stage, ["prompt": "login"]))
        #expect(page.text.contains("name=\"remember\" value=\"yes\">"))
        let answer = try await stage.walk.decide(page, person: person, more: Self.tick)
        try #require(answer.status == 303)
        return answer.cookies
    }

    typealias Next = (changes: [String: String?], passes: Bool)

    static let nexts: [Next] = [
        ([:], true), (["max_age": "7200"], true), (["max_age": "3599"], false), (["prompt": "login"], false),
        (["prompt": "select_account"], false), (["acr_values": "urn:vipps:acr:app_auth"], false),
        (["requested_flow": "app_to_app", "app_callback_uri": "https://app.example/r/"], true),
        (["requested_flow": "app_to_app_v2"], true),
    ]

    @Test(arguments: nexts) func `the next login in the same browser needs no page`(_ row: Next) async throws {
        let stage = try Stage(system: .vipps)
        let cookies = try await Self.remember(stage)
        let then = stage.clock.now
        stage.clock.advance(by: .seconds(100))
        let answer = try await stage.walk.open(Self.request(stage, row.changes), cookies: cookies)
        #expect((answer.status == 303) == row.passes)
        if row.passes {
            let code = try #require(try Walk.arrival(answer)["code"])
            let tokens = try await Tokens(stage, code: code, fields: [stage.basic(raw: true)])
            let claims = try await tokens.claims(allowing: .rs256)
            #expect(claims["sub"]?.string == SandboxIdentity.named("ingrid")?.subject)
            #expect(claims["auth_time"]?.integer == then.seconds, "when Vipps last saw the user")
        } else {
            #expect(answer.text.contains("value=\"yes\" checked>"), "the user is still remembered")
        }
        await stage.end()
    }

    /// A remembered user is older than `max_age`.
    @Test func `a user who was seen too long ago is asked`() async throws {
        let stage = try Stage(system: .vipps)
        let cookies = try await Self.remember(stage)
        stage.clock.advance(by: .seconds(7201))
        let request = Self.request(stage, ["max_age": "7200"])
        #expect(try await stage.walk.open(request, cookies: cookies).status == 200)
        #expect(try await stage.walk.open(Self.request(stage), cookies: cookies).status == 303)
        stage.clock.advance(by: .seconds(31 * 86_400))
        #expect(try await stage.walk.open(Self.request(stage), cookies: cookies).status == 200, "forgotten")
        await stage.end()
    }

    enum Browser: CaseIterable, Sendable {
        /// The user did not tick the box, or cancelled.
        case notTicked, cancelled
        case other, guessed
        /// The box was ticked, and later unticked.
        case unticked
    }

    @Test(arguments: Browser.allCases) func `only a user who wants it is remembered`(_ browser: Browser) async throws {
        let stage = try Stage(system: .vipps)
        let walk = stage.walk
        let request = Self.request(stage, ["prompt": "login"])
        var cookies: [String] = []
        switch browser {
        case .notTicked: cookies = try await walk.decide(try await walk.open(request)).cookies
        case .cancelled:
            let page = try await walk.open(request)
            cookies = try await walk.decide(page, "cancel", more: Self.tick).cookies
        case .other: _ = try await Self.remember(stage)
        case .guessed: cookies = ["Cookie: sandbox_remembered=\(Stage.random())"]
        case .unticked:
            cookies = try await Self.remember(stage)
            let page = try await walk.open(request, cookies: cookies)
            let all = (cookies + page.cookies).map { $0.dropFirst("Cookie: ".count) }.joined(separator: "; ")
            let answer = try await walk.decide(page, cookies: ["Cookie: \(all)"])
            #expect(answer.fields.contains { $0.value.hasPrefix("sandbox_remembered=; ") })
        }
        #expect(try await walk.open(Self.request(stage), cookies: cookies).status == 200)
        await stage.end()
    }

    @Test(arguments: SandboxSystem.allCases.filter { $0 != .vipps && $0 != .digid })
    func `other brokers remember nobody`(_ system: SandboxSystem) async throws {
        let stage = try Stage(system: system)
        let page = try await stage.walk.open(stage.request())
        #expect(!page.text.contains("name=\"remember\""))
        let answer = try await stage.walk.decide(page, more: Self.tick)
        #expect(answer.status == 303 && answer.cookies.isEmpty)
        #expect(try await stage.walk.open(stage.request()).status == 200)
        await stage.end()
    }
}
