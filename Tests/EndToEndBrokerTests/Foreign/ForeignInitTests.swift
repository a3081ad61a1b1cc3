import Base
import EndToEndSupport
import Foundation
import Logging
import Preflight
import ServerConfiguration
import StrictJSON
import Switchback
import Telemetry
import TestSupport
import Testing

@testable import SwitchbackCommand

/// The rows of the matrix of habits whose software runs here: the configuration that `init` writes, against the program
/// of other authors itself.
@Suite(.blocking, .enabled(if: ForeignTools.areWanted, ForeignTools.howToGetThem), .serialized)
struct ForeignInitTests {
    private static let clientID = "from-init"

    /// A login, `check --online`, a rotation (the program makes new keys when it starts), and a secret that the program
    /// does not know.
    @Test(arguments: ForeignProgram.allCases) func `logins complete with the configuration that init writes`(
        _ program: ForeignProgram
    ) async throws {
        let port = try FreePort.find()
        let ownPort = try FreePort.find()
        let client = try Self.client(program, secret: ForeignVariant.secret, port: port)
        var provider = try await ForeignProvider.start(program, clients: [client], port: ownPort)
        let stage = try Self.server(program, port: port, issuer: provider.issuer)

        var findings: [String] = []
        try await OnlineCheck(stage.written.configuration).run { found in
            findings += found.filter { $0.level == .error }.map(\.description)
        }
        #expect(findings == [])

        let first = try await Self.logIn(stage.written.configuration.publicURL.text)
        #expect(first["status"]?.string == "completed", "\(stage.log.text.suffix(900)) \(provider.errors.suffix(900))")
        #expect(first["identity"]?["name"]?.string == "Erika Mustermann")

        try await provider.stop()
        provider = try await ForeignProvider.start(program, clients: [client], port: ownPort)
        stage.clock.advance(by: .seconds(6))
        let rotated = try await Self.logIn(stage.written.configuration.publicURL.text)
        #expect(rotated["status"]?.string == "completed", "\(stage.log.text.suffix(900))")
        try await provider.stop()

        let stranger = try Self.client(program, secret: "another-secret-of-more-than-32-characters", port: port)
        provider = try await ForeignProvider.start(program, clients: [stranger], port: ownPort)
        stage.clock.advance(by: .seconds(6))
        let refused = try await Self.logIn(stage.written.configuration.publicURL.text)
        #expect(refused["reason"]?["code"]?.string == "broker_error", "\(stage.log.text.suffix(900))")

        await stage.server.stop()
        stage.written.remove()
        try await provider.stop()
    }

    private static func client(_ program: ForeignProgram, secret: String, port: UInt16) throws -> JSON {
        let known = try #require(KnownProvider.named(program.rawValue))
        let method = known.broker.first { $0.name == "client_authentication" }?.value ?? "client_secret_basic"
        return [
            "client_id": .string(Self.clientID), "client_secret": .string(secret),
            "redirect_uris": [.string("http://127.0.0.1:\(port)/callback/broker")],
            "token_endpoint_auth_method": .string(method), "response_types": ["code"],
            "id_token_signed_response_alg": "RS256", "unaided": true,
        ]
    }

    private struct Stage {
        let server: SwitchbackServer
        let written: WrittenConfiguration
        let clock = TestClock()
        let log = CapturedLog()

        init(_ written: WrittenConfiguration) throws {
            let log = self.log
            let logger = Logger(label: "test") { _ in
                LineLogHandler(.json, level: .debug, now: WallClock.now, write: { log.append($0) })
            }
            self.written = written
            self.server = try SwitchbackServer(
                configuration: written.configuration, logger: logger, now: self.clock.now)
            _ = try self.server.start()
        }
    }

    private static func server(_ program: ForeignProgram, port: UInt16, issuer: String) throws -> Stage {
        let known = try #require(KnownProvider.named(program.rawValue))
        var questionnaire = InitQuestionnaire(
            [
                .broker: "oidc", .provider: known.name, .publicURL: "https://login.example.com", .app: "shop",
                .clientID: Self.clientID, .issuer: known.exampleIssuer,
            ], ask: nil)
        try questionnaire.complete()
        let plan = try InitPlan(
            questionnaire.answers, secret: Array("\(ForeignVariant.secret)\n".utf8),
            folder: WrittenConfiguration.makeFolder())
        _ = try plan.check()
        let written = try WrittenConfiguration(plan, port: port) {
            $0.replacing("\"\(known.exampleIssuer)\"", with: "\"\(issuer)\"")
        }
        return try Stage(written)
    }

    /// The user logs in and types the code of the done page.
    private static func logIn(_ url: String) async throws -> JSON {
        let app = PhoneApp(url)
        let created = try await app.create("eid")
        var browser = CookieBrowser()
        try await browser.logIn(opening: try #require(created.nextURL), home: url)
        let deadline = Patience.end
        while ContinuousClock.now < deadline {
            var done = try await ScriptedBrowser(opening: browser.url)
            if let code = done.code { _ = try await app.reportReturn(["code": .string(code)]) }
            let login = try await app.poll().json ?? .null
            if login["final"]?.bool == true { return login }
            try await Task.sleep(for: .milliseconds(50))
            try await done.reload()
        }
        throw TestClient.Failure(description: "the login does not end")
    }
}
