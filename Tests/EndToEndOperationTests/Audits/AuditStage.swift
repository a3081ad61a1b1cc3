import Base
import EndToEndSupport
import Foundation
import KeyFiles
import Sandbox
import StrictJSON
import TestSupport

/// A server in a process of its own that keeps an audit, and the commands that judge it.
struct AuditStage: Sendable {
    let stage: DurableStage
    let path: String

    /// `audit` is added to the settings of the audit, and `settings` are further lines.
    init(_ audit: String = "", file: String? = nil, settings: String = DurableStage.immediate) throws {
        self.stage = try DurableStage()
        self.path = file ?? "\(self.stage.folder)/audit.jsonl"
        try SystemFile.create("\(self.stage.folder)/audit.pem", try KeyGenerator.file(.es256))
        try self.configure(audit, settings: settings)
    }

    func configure(
        _ audit: String = "", settings: String = DurableStage.immediate, keys: [String] = ["audit"]
    ) throws {
        let files = keys.map { "{file: \(self.stage.folder)/\($0).pem}" }.joined(separator: ", ")
        try self.stage.configure(
            "keys: {audit: [\(files)]}\naudit: {file: \(self.path)\(audit)}\nlog: {format: json}\n\(settings)")
    }

    /// What a login left behind: the app, and what it was told at the end.
    struct Login {
        let app: PhoneApp
        let end: JSON
    }

    /// A whole login, up to what the app gets.
    func login(acknowledging: Bool = true) async throws -> Login {
        let app = PhoneApp(self.stage.url)
        var browser = try await ScriptedBrowser(opening: try Self.nextURL(try await app.create("demo")))
        try await browser.submit(button: "approve")
        let end = try await app.waitForEnd()
        if acknowledging { _ = try await app.acknowledge() }
        return Login(app: app, end: end)
    }

    /// A login that the user refuses at the broker.
    func refusedLogin() async throws -> Login {
        let app = PhoneApp(self.stage.url)
        var browser = try await ScriptedBrowser(opening: try Self.nextURL(try await app.create("demo")))
        try await browser.submit(button: "cancel")
        return Login(app: app, end: try await app.waitForEnd())
    }

    private static func nextURL(_ answer: Answer) throws -> String {
        guard let url = answer.nextURL else { throw TestClient.Failure(description: "no link: \(answer.text)") }
        return url
    }

    func records(_ path: String? = nil) throws -> AuditRecords { try AuditRecords(path ?? self.path) }

    /// Waits until the audit has so many records of this kind.
    func waitForRecords(_ count: Int, of event: String) async throws -> AuditRecords {
        var records = try self.records()
        _ = try await eventually {
            records = try self.records()
            return records.events.count { $0 == event } >= count
        }
        return records
    }

    /// Writes a key as `keys rotate` makes it, which becomes active after this many seconds.
    func makeNextKey(in seconds: Int) throws {
        let (created, active) = (WallClock.now() - .seconds(172_800), WallClock.now() + .seconds(seconds))
        let times = "# created: \(created.wholeSecondRFC3339)\n# active: \(active.wholeSecondRFC3339)\n"
        try SystemFile.create("\(self.stage.folder)/next.pem", Array(times.utf8) + (try KeyGenerator.file(.es256)))
    }

    func end(_ server: ChildProcess) -> Bool {
        server.send(SIGTERM)
        return server.end()
    }

    // MARK: - Commands

    /// Runs `switchback audit …`.
    func audit(_ words: String...) throws -> (status: Int?, text: String) { try self.run(["audit"] + words) }

    /// `variables` are those of its environment.
    func run(_ words: [String], _ variables: [String] = []) throws -> (status: Int?, text: String) {
        let output = "\(self.stage.folder)/said-\(UInt32.random(in: 0 ... .max))"
        let process = try ChildProcess(
            path: "/usr/bin/env", variables + [DurableStage.binary] + words, in: self.stage.folder, output: output)
        return (process.status(), (try? String(contentsOfFile: output, encoding: .utf8)) ?? "")
    }

    /// Writes the lines to a file beside the audit, and verifies it.
    func verify(_ lines: [String], keys: String) throws -> (status: Int?, text: String) {
        let path = "\(self.stage.folder)/copy-\(UInt32.random(in: 0 ... .max)).jsonl"
        try lines.joined().write(toFile: path, atomically: false, encoding: .utf8)
        return try self.audit("verify", "--keys", keys, path)
    }

    /// The public keys of the configuration, in a file.
    func keys() throws -> String {
        let path = "\(self.stage.folder)/keys-\(UInt32.random(in: 0 ... .max)).json"
        try self.audit("keys", "--config", "\(self.stage.folder)/switchback.yaml").text
            .write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }
}
