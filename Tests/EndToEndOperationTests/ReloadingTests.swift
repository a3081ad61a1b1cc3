import EndToEndSupport
import EventLoop
import Foundation
import Outbound
import TestSupport
import Testing

/// A new configuration in a running server: new logins use it, running ones finish under their own, and an invalid one
/// changes nothing.
@Suite(.blocking) struct ReloadingTests {
    private static let shop = "apps: {demo: {name: Demo, release: immediate}, shop: {name: Shop, release: immediate}}"

    @Test func `a login ends under the configuration it began with`() async throws {
        let (stage, server) = try await Self.start()
        let (before, opened) = (PhoneApp(stage.url), PhoneApp(stage.url))
        let created = try await before.create("demo")
        var browser = try await ScriptedBrowser(opening: try #require(try await opened.create("demo").nextURL))
        // The provider and the app get other names. The sandbox broker stays as it was.
        try stage.configure(
            "apps: {shop: {name: Shop, release: immediate}}", provider: ", acr_values: [urn:other]", named: "other")
        server.send(SIGHUP)
        #expect(try await stage.says("configuration_reloaded").contains("SIGHUP"))

        #expect(try await PhoneApp(stage.url).create("demo").status == 422)
        let after = PhoneApp(stage.url)
        #expect(try await after.create("other").status == 201)
        try await browser.submit(button: "approve")
        #expect(try await opened.waitForEnd()["status"]?.string == "completed")
        var late = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await late.submit(button: "approve")
        #expect(try await before.waitForEnd()["identity"]?["provider"]?.string == "demo", "opened after the change")
        await Self.stop(stage, server)
    }

    @Test func `a long poll lives through a reload`() async throws {
        let (stage, server) = try await Self.start()
        let app = PhoneApp(stage.url)
        let created = try await app.create("demo")
        let etag = created[.etag]
        async let poll = app.poll(wait: 20, etag: etag)
        try stage.configure(Self.shop)
        server.send(SIGHUP)
        _ = try await stage.says("configuration_reloaded")
        #expect(try await app.cancel().status == 200)
        #expect(try await poll.json?["status"]?.string == "cancelled")
        await Self.stop(stage, server)
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let settings: String
        /// The reason that the log must contain.
        let reason: String
    }

    private static let wrong = [
        Wrong(testDescription: "an unknown setting", settings: "\(shop)\nlisen: x", reason: "lisen"),
        Wrong(testDescription: "no YAML", settings: "apps: {", reason: "switchback.yaml"),
        Wrong(
            testDescription: "a missing key file", settings: "\(shop)\nkeys: {signing: [{file: /none}]}",
            reason: "/none"),
        Wrong(
            testDescription: "a folder of something else", settings: "\(shop)\npublic_dir: /",
            reason: "is not a file of the pages"),
    ]

    @Test func `a wrong configuration is refused`() async throws {
        let (stage, server) = try await Self.start()
        for row in Self.wrong {
            let said = stage.log.count
            try stage.configure(row.settings)
            server.send(SIGHUP)
            let line = try await stage.says("configuration_refused", after: said)
            #expect(line.contains(row.reason), "\(row): \(line)")
            #expect(try await PhoneApp(stage.url).create("demo").status == 201, "\(row): the old configuration stays")
            #expect(try await Self.metric("last_reload_successful", of: stage) == "0")
        }
        try stage.configure(Self.shop)
        server.send(SIGHUP)
        _ = try await stage.says("configuration_reloaded")
        #expect(try await PhoneApp(stage.url).create("demo", ["app": "shop"]).status == 201)
        #expect(try await Self.metric("last_reload_successful", of: stage) == "1")
        await Self.stop(stage, server)
    }

    /// `switchback reload` says by its exit status what `kill -HUP` cannot: whether the server uses the configuration.
    @Test func `the command fails where the server refuses`() async throws {
        let (stage, server) = try await Self.start()
        #expect(try Self.reload(stage, server.id) == (true, ""))
        for row in Self.wrong {
            try stage.configure(row.settings)
            let said = try Self.reload(stage, server.id, "--operations-listen", "127.0.0.1:\(stage.operationsPort)")
            #expect(!said.succeeds && said.text.contains("was refused, and the old one stays"), "\(row): \(said)")
        }
        try stage.configure(Self.shop)
        #expect(try Self.reload(stage, server.id) == (true, ""))
        #expect(try await PhoneApp(stage.url).create("demo", ["app": "shop"]).status == 201)
        let wrong = Self.wrong.count
        #expect(
            try await Self.metric("reloads_total{cause=\"signal\",outcome=\"refused\"}", of: stage) == "\(wrong)")
        #expect(try await Self.metric("reloads_total{cause=\"signal\",outcome=\"applied\"}", of: stage) == "2")
        #expect(try await Self.metric("reloads_total{cause=\"file\",outcome=\"applied\"}", of: stage) == "0")
        // Neither a process that is not there nor a port where nothing answers is a success.
        let nobody = try ChildProcess(tool: "true", [], in: stage.folder)
        _ = nobody.end()
        #expect(try Self.reload(stage, nobody.id).text.contains("cannot be told to reload"))
        await Self.stop(stage, server)
        #expect(try Self.reload(stage, getpid()).text.contains("nothing listens on 127.0.0.1"))
    }

    private static func reload(
        _ stage: DurableStage, _ id: pid_t, _ more: String...
    ) throws -> (succeeds: Bool, text: String) {
        let output = "\(stage.folder)-said"
        defer { try? FileManager.default.removeItem(atPath: output) }
        let process = try ChildProcess(
            path: DurableStage.binary,
            ["reload", "--config", "\(stage.folder)/switchback.yaml", "--pid", "\(id)"] + more,
            in: NSTemporaryDirectory(), output: output)
        return (process.end(), try String(contentsOfFile: output, encoding: .utf8))
    }

    @Test func `a changed file is seen without a signal`() async throws {
        let (stage, server) = try await Self.start("\(DurableStage.immediate)\nreload_interval: 1")
        try stage.configure("\(Self.shop)\nreload_interval: 1")
        let line = try await stage.says("configuration_reloaded")
        #expect(line.contains("apps.shop") && line.contains("switchback.yaml"), "\(line)")
        #expect(try await PhoneApp(stage.url).create("demo", ["app": "shop"]).status == 201)
        await Self.stop(stage, server)
    }

    @Test func `a setting that needs a restart says that it waits`() async throws {
        let (stage, server) = try await Self.start()
        try stage.configure("\(Self.shop)\nlimits: {head: 2048}\nlog: {format: json}")
        server.send(SIGHUP)
        let line = try await stage.says("configuration_needs_restart")
        #expect(line.contains("limits.head") && line.contains("log.format"), "\(line)")
        #expect(!(try await stage.says("configuration_reloaded")).contains("limits.head"))
        #expect(try await Self.metric("settings_waiting_for_restart", of: stage) == "2")

        // An unrelated change says nothing new, and one back to what runs waits no longer.
        var said = stage.log.count
        try stage.configure("\(Self.shop)\nlimits: {head: 2048}\nlog: {format: json}\nresult_ttl: 500")
        server.send(SIGHUP)
        _ = try await stage.says("configuration_reloaded", after: said)
        #expect(try await Self.metric("settings_waiting_for_restart", of: stage) == "2")
        try stage.configure("\(Self.shop)\nlog: {format: json}")
        server.send(SIGHUP)
        #expect(try await stage.says("configuration_needs_restart", after: said).contains(#""settings":"log.format""#))
        #expect(try await Self.metric("settings_waiting_for_restart", of: stage) == "1")
        said = stage.log.count
        try stage.configure(Self.shop)
        server.send(SIGHUP)
        _ = try await stage.says("configuration_reloaded", after: said)
        #expect(try await eventually { try await Self.metric("settings_waiting_for_restart", of: stage) == "0" })
        #expect(!stage.log.dropFirst(said).contains("configuration_needs_restart"))
        await Self.stop(stage, server)
    }

    @Test func `the level of the log changes without a restart`() async throws {
        let (stage, server) = try await Self.start()
        for (level, isThere) in [("debug", true), ("info", false)] {
            var said = stage.log.count
            try stage.configure("\(DurableStage.immediate)\nlog: {level: \(level)}")
            server.send(SIGHUP)
            #expect(try await stage.says("configuration_reloaded", after: said).contains("log.level"))
            said = stage.log.count
            let app = PhoneApp(stage.url)
            _ = try await app.create("demo")
            #expect(try await app.cancel().status == 200)
            _ = try await stage.says("login_ended", after: said)
            #expect(stage.log.dropFirst(said).contains("login_created") == isThere, "\(level)")
        }
        await Self.stop(stage, server)
    }

    @Test func `an app that a reload adds has all its series before its first login`() async throws {
        let (stage, server) = try await Self.start()
        func lines() async throws -> [Substring] {
            try await TestClient.send("GET", "\(stage.operations)/metrics").text.split(separator: "\n").filter {
                $0.hasPrefix("switchback_login_stages_total{") && $0.contains("app=\"shop\"")
            }
        }
        #expect(try await lines().isEmpty)
        try stage.configure(Self.shop)
        server.send(SIGHUP)
        _ = try await stage.says("configuration_reloaded")
        let shown = try await lines()
        #expect(shown.contains { $0.contains("stage=\"ended\"") && $0.contains("reason=\"broker_error\"") })
        #expect(!shown.isEmpty && shown.allSatisfy { $0.hasSuffix(" 0") })
        await Self.stop(stage, server)
    }

    /// Only the certificate changes, as in a renewal, and new connections see the new one.
    @Test func `a renewed certificate is shown`() async throws {
        let minted = try [MintedIdentity(["localhost"]), MintedIdentity(["localhost"])]
        let stage = try DurableStage("\(DurableStage.immediate)\ntls: {certificate: tls.pem, key: tls.key}")
        try stage.write(minted[0])
        let server = try await stage.serve()
        let url = "https://localhost:\(stage.port)/v1/providers"
        #expect(try await Self.believing(minted[0], stage, url) == 200)
        try stage.write(minted[1])
        server.send(SIGHUP)
        #expect(try await stage.says("configuration_reloaded").contains("tls.pem"))
        #expect(try await Self.believing(minted[1], stage, url) == 200)
        await #expect(throws: OutboundError.self) { try await Self.believing(minted[0], stage, url) }
        // The server rejects a key that does not belong to the certificate.
        try stage.write(minted[0], keyOf: minted[1])
        server.send(SIGHUP)
        #expect(try await stage.says("configuration_refused").contains("tls.key"))
        #expect(try await Self.believing(minted[1], stage, url) == 200)
        await Self.stop(stage, server)
    }

    private static func believing(_ minted: MintedIdentity, _ stage: DurableStage, _ url: String) async throws -> Int {
        let loop = try EventLoop(name: "test")
        defer { loop.close() }
        var settings = OutboundSettings(allowedHosts: ["localhost"])
        settings.allowPrivateAddresses = true
        settings.caFile = "\(stage.folder)/authority-\(UUID().uuidString).pem"
        try Data(minted.certificate).write(to: URL(filePath: settings.caFile ?? ""))
        let client = try OutboundClient(loop: loop, settings: settings)
        do {
            let status = try await client.send(OutboundRequest(url: url)).status
            await client.close()
            return status
        } catch {
            await client.close()
            throw error
        }
    }

    private static func start(
        _ settings: String = DurableStage.immediate
    ) async throws -> (stage: DurableStage, server: ChildProcess) {
        let stage = try DurableStage(settings)
        return (stage, try await stage.serve())
    }

    private static func stop(_ stage: DurableStage, _ server: ChildProcess) async {
        server.send(SIGTERM)
        #expect(server.status() == 0)
        await stage.stop()
    }

    private static func metric(_ name: String, of stage: DurableStage) async throws -> Substring? {
        let name = "switchback_config_\(name) "
        let text = try await TestClient.send("GET", "\(stage.operations)/metrics").text
        return text.split(separator: "\n").first { $0.hasPrefix(name) }?.dropFirst(name.count)
    }
}

extension DurableStage {
    fileprivate var port: Substring { self.url.split(separator: ":").last ?? "" }

    fileprivate func write(_ minted: MintedIdentity, keyOf other: MintedIdentity? = nil) throws {
        try Data(minted.certificate).write(to: URL(filePath: "\(self.folder)/tls.pem"))
        try Data((other ?? minted).key).write(to: URL(filePath: "\(self.folder)/tls.key"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(self.folder)/tls.key")
    }
}
