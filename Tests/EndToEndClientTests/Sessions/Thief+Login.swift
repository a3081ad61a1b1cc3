// A thief who starts the login that a victim completes.

import Base
import EndToEndSupport
import HTTPWire
import PhoneKeys
import StrictJSON
import Testing

extension Thief {
    static let ofTheLogin = [
        Thief(
            "a copy of the app, an emulator or a script, with the user's e-ID login",
            gets: "a session of its own key; none where `apps.*.attestation` is `required`", Self.copyOfTheApp),
        Thief(
            "a victim's e-ID login that the thief started",
            gets: "nothing without the proof. If the app wants none, or the victim reads the six digits to the thief, "
                + "an access token for minutes; a session only with `apps.*.session_by_code`", Self.starter),
    ]

    private static func copyOfTheApp() async throws {
        let stage = try await SessionStage.start()
        _ = try await stage.session(try SessionPhone(stage.server.url))
        await stage.stop()

        let careful = try await AttestedSessionTests.start("required")
        let copy = try SessionPhone(careful.server.url)
        let app = try await careful.login(copy)
        #expect(try await copy.send({ try copy.beginning(app) }).brief == "403 attestation_required")
        let other = try AttestedSessionTests.attestation(.iPhoneOfAnotherApp, copy, app)
        let begun = try await copy.send { try copy.beginning(app, attestation: other) }
        #expect(begun.brief == "403 attestation_invalid")
        await careful.stop()
    }

    private static func starter() async throws {
        // The app's link opens on the victim's phone, so the thief has no proof.
        let link = try await Lure("return_link")
        #expect(try await link.begin().brief == "409 not_final")
        await link.stage.stop()

        // The code stands on the victim's page.
        let page = try await Lure("code")
        let code = try #require(page.code)
        #expect(try await page.begin().brief == "409 not_final")
        _ = try await page.app.reportReturn(["code": .string(code == "000000" ? "000001" : "000000")])
        #expect(try await page.begin().brief == "409 not_final")
        _ = try await page.app.reportReturn(["code": .string(code)])
        try await Self.expectAccessOnly(page)

        let permitted = try await Lure("code", app: ", session_by_code: true")
        _ = try await permitted.app.reportReturn(["code": .string(try #require(permitted.code))])
        let session = try await permitted.begin()
        #expect(session.json?["refresh_token"] != nil, "\(session.brief)")
        await permitted.stage.stop()

        try await Self.expectAccessOnly(try await Lure("immediate"))
    }

    /// A login that the thief started with the key of its own phone, and that the victim completed in another browser.
    private struct Lure: Sendable {
        let stage: SessionStage
        let thief: SessionPhone
        let app: PhoneApp
        /// The code of the victim's page, if the page has one.
        let code: String?

        init(_ release: String, app settings: String = "") async throws {
            let stage = try await SessionStage.start(variant: .query, release: release, app: settings)
            let (thief, app) = (try SessionPhone(stage.server.url), PhoneApp(stage.server.url))
            let created = try await app.create(
                stage.variant.name, ["platform": "ios", "dpop_jkt": .string(thief.key.thumbprint)])
            thief.keep(created)
            var victim = try await ScriptedBrowser(
                opening: try #require(created.nextURL), links: [RunningServer.returnPrefix])
            try await victim.submit(button: "approve")
            for _ in 0..<100 {
                let status = try await app.poll(wait: 1, etag: "W/\"2\"").json?["status"]?.string
                if status != "exchanging", status != "pending", status != nil { break }
            }
            try await victim.reload()
            (self.stage, self.thief, self.app, self.code) = (stage, thief, app, victim.code)
        }

        func begin() async throws -> Answer { try await self.thief.send { try self.thief.beginning(self.app) } }
    }

    private static func expectAccessOnly(_ lure: Lure) async throws {
        let begun = try await lure.begin()
        #expect(begun.status == 200, "\(begun.text)")
        #expect(Set(begun.json?.object?.names ?? []) == ["session_id", "access_token", "token_type", "expires_in"])
        #expect(begun.json?["expires_in"]?.integer ?? .max <= 600)
        // It manages no sessions of the victim.
        let listed = try await lure.thief.send { try lure.thief.listing() }
        #expect([401, 403, 404].contains(listed.status), "\(listed.brief)")
        await lure.stage.stop()
    }
}
