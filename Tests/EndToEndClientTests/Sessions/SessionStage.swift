import Base
import EndToEndSupport
import HTTPWire
import PhoneKeys
import StrictJSON
import Testing

/// A server with sessions, and a user who logs in on a phone.
struct SessionStage: Sendable {
    let server: RunningServer
    /// By a link to the app, which is the proof that it is this phone.
    let variant: BrokerVariant

    /// `app` are more settings of the app.
    static func start(
        _ level: String = "unlock", variant: BrokerVariant = .app, release: String = "return_link", app: String = "",
        provider: String = ", prompt: login, session: unlock", settings: String = "",
        files: [String: [UInt8]] = [:], fileTimes: [String: Timestamp] = [:]
    ) async throws -> SessionStage {
        let links = "return_prefixes: [\"\(RunningServer.returnPrefix)\"]"
        let sessions = level == "none" ? "" : ", session: \(level), session_audience: \"\(SessionPhone.audience)\""
        let server = try await RunningServer.start(
            [variant], settings: settings, providers: provider, release: release,
            system: variant.kind == "digid" ? .digid : .oidc, app: links + sessions + app, files: files,
            fileTimes: fileTimes, isOneClock: true, hasSessions: true)
        return SessionStage(server: server, variant: variant)
    }

    func stop() async { await self.server.stop() }

    /// Logs a user in, and gives the phone the nonce that came with the login.
    @discardableResult
    func login(_ phone: SessionPhone, person: String = "freja", hasKey: Bool = true) async throws -> PhoneApp {
        let app = PhoneApp(self.server.url)
        var members: JSON.Object = ["platform": "ios"]
        if hasKey { members["dpop_jkt"] = .string(phone.key.thumbprint) }
        let created = try await app.create(self.variant.name, members)
        phone.keep(created)
        let next = try #require(created.json?["next"], "\(created.text)")
        var browser = try await ScriptedBrowser(
            opening: try #require((next["url"] ?? next["universal_link"])?.string))
        for link in try await Self.links(&browser, person, self.variant) {
            _ = try await app.reportReturn(["url": .string(link)])
        }
        if self.variant.callback == "backend" { try await self.typeCode(app, &browser) }
        let login = try await app.waitForEnd()
        try #require(login["status"]?.string == "completed", "\(self.server.log.text.suffix(800))")
        return app
    }

    /// A login and its session.
    func session(_ phone: SessionPhone, person: String = "freja") async throws -> PhoneApp {
        let app = try await self.login(phone, person: person)
        let begun = try await phone.send { try phone.beginning(app) }
        try #require(begun.status == 200, "\(begun.text)")
        return app
    }

    private static func links(
        _ browser: inout ScriptedBrowser, _ person: String, _ variant: BrokerVariant
    ) async throws -> [String] {
        let choice = variant.kind == "digid" ? [:] : ["person": person]
        let decision = try browser.submission(choice, button: "approve")
        guard variant.callback == "backend" else { return try await browser.links(after: decision) }
        try await browser.perform(decision)
        return []
    }

    /// The user reads the code of the done page, and types it in the app.
    private func typeCode(_ app: PhoneApp, _ browser: inout ScriptedBrowser) async throws {
        for _ in 0..<100 {
            let status = try await app.poll(wait: 1, etag: "W/\"2\"").json?["status"]?.string
            if status != "exchanging", status != "pending", status != nil { break }
        }
        try await browser.reload()
        guard let code = browser.code else { return }
        _ = try await app.reportReturn(["code": .string(code)])
    }
}
