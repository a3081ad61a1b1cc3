import Base
import EndToEndSupport
import Foundation
import JOSE
import StrictJSON
import SwitchbackClient
import TestSupport
import Testing

/// Whole sessions with the library that apps use, against the running server.
@Suite struct ClientSessionTests {
    private static func start() async throws -> SignedInPhone {
        try SignedInPhone(try await SessionStage.start(variant: .query, app: ", session_by_code: true"))
    }

    /// Returns the error with which the library refuses, or nil.
    private nonisolated(nonsending) static func refusal<Value>(
        _ call: nonisolated(nonsending) () async throws -> Value
    ) async -> SwitchbackClient.SessionError? {
        do { _ = try await call() } catch { return error as? SwitchbackClient.SessionError }
        return nil
    }

    private static func claims(_ token: SwitchbackClient.Secret) throws -> JSON {
        let part = try #require(token.exposed.split(separator: ".").dropFirst().first)
        return try JSON(parsing: try #require(Base64URL.decode(String(part))))
    }

    @Test func `a session lasts from its login to the next`() async throws {
        var app = try await Self.start()
        #expect(await Self.refusal { try await app.client.accessToken() } == .signedOut(.neverSignedIn))
        try await app.signIn()
        #expect(app.client.state == .active(needsPIN: true))
        let first = try Self.claims(try await app.client.accessToken())
        let session = try #require(first["sid"]?.string)
        // The session is stored, so the login is deleted.
        try await app.phone.keepResult()

        try await app.client.setPIN("481516")
        try app.kill()
        try await app.wait(900)
        #expect(await Self.refusal { try await app.client.accessToken() } == .pinRequired(triesLeft: nil))
        #expect(await Self.refusal { try await app.client.unlock(pin: "000000") } == .wrongPIN(triesLeft: 4))
        try await app.wait(1)
        try await app.client.unlock(pin: "481516")
        let unlocked = try Self.claims(try await app.client.accessToken())
        #expect(unlocked["acr"] == "urn:switchback:unlock" && unlocked["sid"]?.string == session)
        #expect(
            await Self.refusal { try await app.client.setPIN("999999") } == .stepUpRequired,
            "too late without the old one")
        try await app.wait(1)
        try await app.client.changePIN(from: "481516", to: "234281")
        #expect(try await app.client.sessions().map(\.id) == [session])

        // Five wrong ones need the e-ID, and the session goes on.
        for left in [4, 3, 2, 1, 0] {
            try await app.wait(1)
            let refusal = await Self.refusal { try await app.client.unlock(pin: "111111") }
            #expect(refusal == (left == 0 ? .stepUpRequired : .wrongPIN(triesLeft: left)))
        }
        #expect(app.client.state == .stepUpRequired)
        try await app.signIn()
        #expect(app.client.state == .active(needsPIN: true))
        let next = try Self.claims(try await app.client.accessToken())
        #expect(next["sid"]?.string == session && next["sub"] == first["sub"])

        #expect(await app.client.signOut())
        #expect(app.client.state == .signedOut(.byUser) && app.keys.isEmpty)
        app.stop()
        await app.stage.stop()
    }

    @Test func `many callers share one renewal`() async throws {
        var app = try await Self.start()
        try await app.signIn()
        try await app.wait(290)
        let before = app.network.count(of: .create)
        let tokens = try await withThrowingTaskGroup(of: SwitchbackClient.Secret.self) { [client = app.client] group in
            for _ in 0..<50 { group.addTask { try await client.accessToken() } }
            return try await group.reduce(into: Set<SwitchbackClient.Secret>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
        #expect(app.network.count(of: .create) - before <= 2, "the renewal, and perhaps a nonce")
        app.stop()
        await app.stage.stop()
    }

    // MARK: - Lost requests

    static let faults = ScriptedNetwork.Fault.allCases.flatMap { fault in [1, 2].map { (fault, $0) } }

    /// Loses each request once or twice, on the way there or back: nobody is signed out, and no try counts twice.
    @Test(arguments: TestTier.few(faults, oneOf: 2))
    func `a session survives the loss of each request`(_ fault: ScriptedNetwork.Fault, _ times: Int) async throws {
        var app = try await Self.start()
        let login = try await app.logIn()
        app.network.meet(fault, at: .create, times: times)
        try await app.client.begin(after: login)
        let session = try Self.claims(try await app.client.accessToken())["sid"]
        // PUT and GET count as polls.
        app.network.meet(fault, at: .poll, times: times)
        try await app.client.setPIN("481516")
        app.network.meet(fault, at: .create, times: times)
        _ = try await app.client.accessToken(isNew: true)
        app.network.meet(fault, at: .poll, times: times)
        #expect(try await app.client.sessions().count == 1)
        try await app.wait(900)
        app.network.meet(fault, at: .create, times: times)
        #expect(await Self.refusal { try await app.client.unlock(pin: "000000") } == .wrongPIN(triesLeft: 4))
        try await app.wait(1)
        app.network.meet(fault, at: .create, times: times)
        try await app.client.unlock(pin: "481516")
        #expect(try Self.claims(try await app.client.accessToken())["sid"] == session)
        app.network.meet(fault, at: .create, times: times)
        #expect(await app.client.signOut())
        #expect(app.network.isCalm)
        app.stop()
        await app.stage.stop()
    }

    /// The library gives up, and the user tries again with the same PIN: still one try.
    @Test func `a try that is repeated by the user counts once`() async throws {
        var app = try await Self.start()
        try await app.signIn()
        try await app.client.setPIN("481516")
        try await app.wait(1)
        _ = try await app.client.accessToken(isNew: true)
        app.network.meet(.answerLost, at: .create, times: 3)
        #expect(await Self.refusal { try await app.client.unlock(pin: "000000") } == .noResponse(.noResponse))
        #expect(await Self.refusal { try await app.client.unlock(pin: "000000") } == .wrongPIN(triesLeft: 4))
        app.stop()
        await app.stage.stop()
    }

    // MARK: - The end

    @Test func `a phone that loses its key is signed out`() async throws {
        var app = try await Self.start()
        try await app.signIn()
        let other = try SessionPhone(app.stage.server.url)
        _ = try await app.stage.session(other)
        app.keys.lose()
        #expect(await Self.refusal { try await app.client.accessToken(isNew: true) } == .signedOut(.keyGone))
        // The server is told without the key.
        for _ in 0..<500 {
            if try await Self.count(other) == 1 { break }
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try await Self.count(other) == 1)
        try await app.signIn()
        #expect(app.client.state == .active(needsPIN: true))
        #expect(try await Self.count(other) == 2)
        app.stop()
        await app.stage.stop()
    }

    private static func count(_ phone: SessionPhone) async throws -> Int? {
        try await phone.send { try phone.listing() }.json?["sessions"]?.array?.count
    }

    @Test func `another phone ends the session`() async throws {
        var app = try await Self.start()
        try await app.signIn()
        let session = try #require(try Self.claims(try await app.client.accessToken())["sid"]?.string)
        let other = try SessionPhone(app.stage.server.url)
        _ = try await app.stage.session(other)
        let ended = try await other.send { try other.ending(session) }
        #expect(ended.status == 204, "\(ended.text)")
        #expect(await Self.refusal { try await app.client.accessToken(isNew: true) } == .signedOut(.ended))
        // Also after a start. The next login begins another one.
        try app.kill()
        #expect(await Self.refusal { try await app.client.accessToken() } == .signedOut(.ended))
        try await app.wait(1)
        try await app.signIn()
        _ = try await app.client.accessToken()
        app.stop()
        await app.stage.stop()
    }

    @Test func `another user needs another key`() async throws {
        var app = try await Self.start()
        try await app.signIn()
        let login = try await app.logIn(person: "soren")
        #expect(await Self.refusal { try await app.client.begin(after: login) } == .otherUser)
        _ = try await app.client.accessToken(isNew: true)
        #expect(await app.client.signOut())
        try await app.client.begin(after: try await app.logIn(person: "soren"))
        app.stop()
        await app.stage.stop()
    }

    /// The app is killed when the session has begun at the server, and the login is still in the store.
    @Test func `a begin is repeated after a kill`() async throws {
        var app = try await Self.start()
        let login = try await app.logIn()
        app.network.meet(.answerLost, at: .create, times: 3)
        #expect(await Self.refusal { try await app.client.begin(after: login) } == .noResponse(.noResponse))
        try app.kill()
        try await app.phone.kill()
        _ = try await app.phone.outcome()
        try await app.client.begin(after: try #require(app.phone.session))
        #expect(try await app.client.sessions().count == 1)
        app.stop()
        await app.stage.stop()
    }
}
