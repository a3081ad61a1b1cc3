import Base
import EndToEndSupport
import HTTPWire
import PhoneKeys
import StrictJSON
import Testing

/// An app's own backend lists and ends the sessions of a person.
@Suite struct BackendSessionTests {
    private static let key = "0123456789abcdefghijklmnopqrstuvwxyz-ABCDEF"

    private static func post(
        _ action: String, _ body: JSON, to stage: SessionStage, key: String? = Self.key
    ) async throws -> Answer {
        let fields = [Parameter("Content-Type", "application/json")] + (key.map { [Parameter("Api-Key", $0)] } ?? [])
        return try await TestClient.send(
            "POST", "\(stage.server.url)/v1/sessions/\(action)", fields: fields, body: body.encoded())
    }

    @Test func `a backend sees and ends the sessions of a user`() async throws {
        let stage = try await SessionStage.start(app: ", api_key: \(Self.key)")
        let (phone, tablet, other) = (
            try SessionPhone(stage.server.url), try SessionPhone(stage.server.url), try SessionPhone(stage.server.url)
        )
        let app = try await stage.session(phone)
        _ = try await stage.session(tablet)
        _ = try await stage.session(other, person: "soren")
        // The account, as the assertion and the access token have it.
        let assertion = try #require(try await app.poll().json?["assertion"]?.string)
        let payload = try #require(Base64URL.decode(String(assertion.split(separator: ".")[1])))
        let person: JSON = ["subject": try #require(try JSON(parsing: payload)["sub"])]

        let found = try await Self.post("search", person, to: stage)
        let sessions = try #require(found.json?["sessions"]?.array)
        #expect(Set(sessions.compactMap { $0["id"]?.string }) == [phone.session, tablet.session])
        #expect(sessions.allSatisfy { $0["current"] == false && $0["provider"]?.string == stage.variant.name })
        #expect(try await Self.post("search", ["subject": "nobody"], to: stage).json == ["sessions": []])

        #expect(try await Self.post("end", person, to: stage).json == ["ended": 2])
        #expect(try await Self.post("end", person, to: stage).json == ["ended": 0])
        #expect(try await Self.post("search", person, to: stage).json == ["sessions": []])
        for gone in [phone, tablet] { #expect(try await gone.send(try gone.renewal()).brief == "400 invalid_grant") }
        #expect(try await other.send(try other.renewal()).status == 200)
        await stage.stop()
    }

    @Test func `a backend needs its key and a subject`() async throws {
        let stage = try await SessionStage.start(app: ", api_key: \(Self.key)")
        for action in ["search", "end"] {
            #expect(try await Self.post(action, ["subject": "x"], to: stage, key: nil).brief == "401 app_key_refused")
            #expect(try await Self.post(action, ["subject": "x"], to: stage, key: "no").brief == "401 app_key_refused")
            #expect(try await Self.post(action, [:], to: stage).brief == "400 missing_member")
            #expect(try await Self.post(action, ["subject": 7], to: stage).brief == "400 invalid_member")
            #expect(try await Self.post(action, ["subject": ""], to: stage).brief == "400 invalid_member")
            let ignored = try await Self.post(action, ["subject": "x", "why": "y"], to: stage)
            #expect(ignored.json?["ignored_members"] == ["why"])
        }
        await stage.stop()
    }

    /// A user ends the session of a lost phone.
    @Test func `a phone ends the session of another`() async throws {
        let stage = try await SessionStage.start()
        let (lost, phone) = (try SessionPhone(stage.server.url), try SessionPhone(stage.server.url))
        _ = try await stage.session(lost)
        _ = try await stage.session(phone)
        let sessions = try #require(try await phone.send(try phone.listing()).json?["sessions"]?.array)
        #expect(sessions.count == 2)
        #expect(sessions.filter { $0["current"] == true }.compactMap { $0["id"]?.string } == [phone.session])
        #expect(try await phone.send(try phone.ending(lost.session)).status == 204)
        #expect(try await lost.send(try lost.renewal()).brief == "400 invalid_grant")
        #expect(try await phone.send(try phone.ending("AAAAAAAAAAAAAAAAAAAAAA")).brief == "404 session_unknown")
        #expect(try await phone.send(try phone.ending("x")).brief == "404 session_unknown")
        // Later that needs the PIN.
        stage.server.clock.advance(by: .seconds(1000))
        _ = try await phone.send { try phone.renewal() }
        #expect(
            try await phone.send { try phone.listing() }.sessionError.map {
                ["insufficient_user_authentication", "access_token_invalid"].contains($0)
            } == true)
        await stage.stop()
    }
}
