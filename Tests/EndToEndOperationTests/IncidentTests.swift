import EndToEndSupport
import Foundation
import Sandbox
import StrictJSON
import TestSupport
import Testing

/// What an operator reads at `info` after an incident: one line that says why. Each row is played on a running server.
@Suite(.blocking) struct IncidentTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var provider = "demo"
        /// That of requests to the broker, in seconds.
        var timeout = 20
        /// Plays the incident with a login that was created, and returns when it is over.
        let play: @Sendable (OutageStage, PhoneApp) async throws -> Void
        /// Fields of the login's line `login_ended`. Nil stands for a field that must not be there.
        let line: [String: String?]
    }

    // MARK: - The broker

    private static let ofBrokers = [
        Row(
            testDescription: "the broker returns an error in the browser",
            play: { try await $0.returnWith(fault: "error-server-error", $1) },
            line: ["status": "failed", "reason": "broker_error", "broker_error": "server_error"]),
        Row(
            testDescription: "the broker wants the user to log in there first",
            play: { try await $0.returnWith(fault: "error-login-required", $1) },
            line: ["status": "failed", "reason": "broker_error", "broker_error": "login_required"]),
        Row(
            testDescription: "the user cancels",
            play: { stage, app in
                var browser = try await stage.open(app)
                try await browser.submit(button: "cancel")
                _ = try await app.waitForEnd()
            },
            line: ["status": "cancelled", "reason": "user_cancelled", "broker_error": "access_denied", "stage": nil]),
        Row(
            testDescription: "our client secret is wrong",
            play: {
                try await $0.exchange(
                    at: "/token",
                    .says(
                        "HTTP/1.1 401 \r\nContent-Type: application/json\r\nContent-Length: 26\r\n\r\n"
                            + #"{"error":"invalid_client"}"#), $1)
            },
            line: [
                "status": "failed", "reason": "broker_error", "broker_error": "token_error_invalid_client",
                "stage": nil,
            ]),
        Row(
            testDescription: "the broker is down",
            play: { stage, app in
                var browser = try await stage.open(app)
                let callback = try await browser.callback(of: .query)
                stage.front.stop()
                _ = try await ScriptedBrowser.send(callback)
                _ = try await app.waitForEnd()
            },
            line: ["status": "failed", "reason": "broker_unavailable", "broker_error": "token_unreachable"]),
        Row(
            testDescription: "the broker is too slow", timeout: 1,
            play: { try await $0.exchange(at: "/token", .neverAnswers, $1) },
            line: ["status": "failed", "reason": "broker_unavailable", "broker_error": "token_timed_out"]),
        Row(
            testDescription: "the broker's keys are gone",
            play: { try await $0.exchange(at: "/jwks", .says("HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n"), $1) },
            line: ["status": "failed", "reason": "broker_unavailable", "broker_error": "directory_status_404"]),
        Row(
            testDescription: "a token is signed by a key that nobody published",
            play: { try await $0.returnWith(fault: Self.unknownKey, $1) },
            line: ["status": "failed", "reason": "invalid_token", "broker_error": "id_token_unknown_key"]),
        Row(
            testDescription: "our clock is an hour behind",
            play: { stage, app in
                stage.clock.advance(by: .seconds(-3600))
                var browser = try await stage.open(app)
                try await browser.submit(button: "approve")
                _ = try await app.waitForEnd()
            },
            line: ["status": "failed", "reason": "invalid_token", "broker_error": "id_token_issued_in_future"]),
    ]

    private static let unknownKey = "id-token-unknown-kid"

    // MARK: - Nobody continues

    private static let ofStages = [
        Row(
            testDescription: "nobody opens the login", play: { stage, app in try await stage.expire(app) },
            line: ["status": "expired", "reason": "timeout", "stage": "never_opened", "broker_error": nil]),
        Row(
            testDescription: "the browser does not come back",
            play: { stage, app in
                _ = try await stage.open(app)
                try await stage.expire(app)
            },
            line: ["status": "expired", "reason": "timeout", "stage": "no_callback", "broker_error": nil]),
        Row(
            testDescription: "the code is not redeemed in time",
            play: { stage, app in
                var browser = try await stage.open(app)
                let callback = try await browser.callback(of: .query)
                stage.sandbox.pauseTokenEndpoint()
                _ = try await ScriptedBrowser.send(callback)
                try await stage.sandbox.waitForHeldTokenRequests()
                try await stage.expire(app)
                stage.sandbox.resumeTokenEndpoint()
            },
            line: ["status": "expired", "reason": "timeout", "stage": "no_token", "broker_error": nil]),
        Row(
            testDescription: "the user types no code", provider: "with_code",
            play: { stage, app in
                var browser = try await stage.open(app)
                try await browser.submit(button: "approve")
                #expect(try await eventually { try await app.poll().json?["status"]?.string == "awaiting_return" })
                try await stage.expire(app)
            },
            line: ["status": "expired", "reason": "timeout", "stage": "no_proof", "broker_error": nil]),
        Row(
            testDescription: "the app cancels while the user is at the broker",
            play: { stage, app in
                _ = try await stage.open(app)
                _ = try await app.cancel()
            },
            line: ["status": "cancelled", "reason": "app_cancelled", "stage": "no_callback", "broker_error": nil]),
        Row(
            testDescription: "nothing is wrong",
            play: { stage, app in
                var browser = try await stage.open(app)
                try await browser.submit(button: "approve")
                _ = try await app.waitForEnd()
            },
            line: ["status": "completed", "reason": nil, "stage": nil, "broker_error": nil]),
    ]

    @Test(arguments: ofBrokers + ofStages) func `one line and one note say why a login ended`(_ row: Row) async throws {
        let stage = try OutageStage(.sqlite, timeout: row.timeout, settings: OutageStage.recorder)
        let app = PhoneApp(stage.url)
        #expect(try await app.create(row.provider).status == 201)
        try await row.play(stage, app)
        let id = try #require(app.id)
        // The app may learn of the end before the log has it.
        #expect(try await eventually { !stage.lines(of: id).isEmpty })
        let lines = stage.lines(of: id)
        #expect(lines.count == 1, "\(lines)")
        let line = try #require(lines.first)
        #expect(line["level"]?.string == "info" && line["reference"]?.string != nil && line["provider"] != nil)
        for (field, value) in row.line {
            let found = line[field]?.string
            guard let value, value.hasPrefix("…") else {
                #expect(found == value, "\(field)")
                continue
            }
            #expect(found?.contains(value.filter { $0 != "…" }) == true, "\(field): \(found ?? "")")
        }
        let note = try await stage.note(of: try #require(line["reference"]?.string))
        let told = try #require(note.json?["logins"]?.array?.first, "\(note.text)")
        #expect(told["login"]?.string == id)
        // The note has the same words, under the names of the report.
        for (name, field) in [
            ("status", "status"), ("reason", "reason"), ("waited_at", "stage"), ("broker_error", "broker_error"),
        ] {
            #expect(told[name]?.string == line[field]?.string, "\(name): \(note.text)")
        }
        for name in ["why", "what_to_do"] { #expect(told[name]?.string?.isEmpty == false, "\(name): \(note.text)") }
        let steps = told["steps"]?.array?.compactMap { $0["event"]?.string } ?? []
        #expect(steps.contains("created"), "\(note.text)")
        for person in SandboxIdentity.all { #expect(!note.text.contains(person.subject), "\(note.text)") }
        await stage.stop()
    }

    @Test func `a number of a note is a number`() async throws {
        let stage = try OutageStage(.sqlite, settings: OutageStage.recorder)
        let app = PhoneApp(stage.url)
        let created = try await app.create("with_code")
        var browser = try await stage.open(app)
        try await browser.submit(button: "approve")
        #expect(try await eventually { try await app.poll().json?["next"]?["action"]?.string == "enter_code" })
        try await browser.reload()
        let wrong = try #require(browser.code) == "000000" ? "000001" : "000000"
        let refusal = try #require(try await app.reportReturn(["code": .string(wrong)]).json)
        #expect(refusal["code"]?.string == "wrong_code")
        // The step wrote nothing, so it waits for the next write.
        try await stage.expire(app)
        let note = try await stage.note(of: try #require(created.json?["reference"]?.string))
        let steps = try #require(note.json?["logins"]?.array?.first?["steps"]?.array, "\(note.text)")
        let step = try #require(steps.first { $0["event"]?.string == "proof_refused" }, "\(note.text)")
        #expect(step["cause"]?.string == "code")
        #expect(refusal["tries_left"]?.integer == 2 && step["tries_left"]?.integer == 2, "\(note.text)")
        await stage.stop()
    }

    // MARK: - Ourselves

    @Test func `a store that is down writes one line`() async throws {
        let stage = try OutageStage(.sqlite)
        let before = stage.lines().count
        try stage.moveStoreAway()
        for _ in 0..<20 { #expect(try await PhoneApp(stage.url).create("demo").status == 503) }
        let lines = stage.lines().dropFirst(before)
        let why = try #require(lines.first { $0["event"]?.string == "store_failed" })
        #expect(why["reason"]?.string?.contains("was moved or deleted") == true && why["level"]?.string == "error")
        // However many requests failed: one line of each kind, with fields. The others follow within a minute.
        for (event, field, value) in [("login_store_failed", "work", "write"), ("request", "route", "create")] {
            let own = lines.filter { $0["event"]?.string == event }
            #expect(own.count == 1, "\(event)")
            #expect(own.first?["count"]?.integer == 1)
            #expect(own.first?[field]?.string == value, "\(own)")
        }
        #expect(lines.count == 3, "\(lines)")
        try stage.putStoreBack()
        #expect(try await PhoneApp(stage.url).create("demo").status == 201)
        await stage.stop()
        let counted = stage.lines().filter { $0["event"]?.string == "login_store_failed" }.compactMap {
            $0["count"]?.integer
        }
        #expect(counted == [1, 19], "what was not written yet is written at the end")
    }

    @Test func `a refused configuration writes one line`() async throws {
        let stage = try DurableStage()
        let server = try await stage.serve()
        try stage.configure("\(DurableStage.immediate)\nlisen: x")
        server.send(SIGHUP)
        let line = try JSON(parsing: Array(try await stage.says("configuration_refused").utf8))
        #expect(line["level"]?.string == "error" && line["cause"]?.string == "SIGHUP")
        #expect(line["reason"]?.string?.contains("lisen: is not a setting; did you mean listen?") == true, "\(line)")
        server.send(SIGTERM)
        #expect(server.end())
        await stage.stop()
    }

    @Test func `a certificate of ours that has expired writes one line`() async throws {
        let minted = try MintedIdentity(["localhost"], from: -7200, until: -3600)
        let stage = try DurableStage("\(DurableStage.immediate)\ntls: {certificate: tls.pem, key: tls.key}")
        try Data(minted.certificate).write(to: URL(filePath: "\(stage.folder)/tls.pem"))
        try Data(minted.key).write(to: URL(filePath: "\(stage.folder)/tls.key"))
        chmod("\(stage.folder)/tls.key", 0o600)
        let server = try await stage.serve()
        let line = try JSON(parsing: Array(try await stage.says("tls.pem expired on").utf8))
        #expect(line["event"]?.string == "tls_certificate" && line["level"]?.string == "error", "\(line)")
        #expect(line["reason"]?.string?.contains("tls.pem expired on ") == true, "\(line)")
        server.send(SIGTERM)
        #expect(server.end())
        await stage.stop()
    }
}

extension OutageStage {
    /// The log at `info`, of one login's end or of everything.
    fileprivate func lines(of login: String? = nil) -> [JSON] {
        self.log.text.split(separator: "\n").compactMap { try? JSON(parsing: Array($0.utf8)) }.filter { line in
            guard line["level"]?.string != "debug" else { return false }
            return login.map { line["login"]?.string == $0 && line["event"]?.string == "login_ended" } ?? true
        }
    }

    fileprivate func open(_ app: PhoneApp) async throws -> ScriptedBrowser {
        try await ScriptedBrowser(opening: try #require(try await app.poll().nextURL))
    }

    fileprivate func returnWith(fault: String, _ app: PhoneApp) async throws {
        var browser = try await self.open(app)
        try await browser.submit(["fault": fault], button: "approve")
        _ = try await app.waitForEnd()
    }

    /// The broker behaves like this at one path from the code on.
    fileprivate func exchange(at path: String, _ conduct: FaultyFront.Conduct, _ app: PhoneApp) async throws {
        var browser = try await self.open(app)
        self.front.conduct(at: path, conduct)
        try await browser.submit(button: "approve")
        _ = try await app.waitForEnd()
    }

    /// Lets the time of the login run out, and not that of its result. The sweep of a running server does the same
    /// without a poll.
    fileprivate func expire(_ app: PhoneApp) async throws {
        self.clock.advance(by: .seconds(700))
        // A poll that comes too early is told to wait.
        #expect(try await eventually { try await app.poll().json?["status"]?.string == "expired" })
    }
}
