import Base
import Cryptography
import EndToEndSupport
import Foundation
import Sandbox
import StrictJSON
import TestSupport
import Testing

/// What a real server records, and that the real command finds what was done to the records later.
@Suite(.blocking) struct AuditedServerTests {
    @Test func `a day of a server is recorded, and verified`() async throws {
        let settings = "\(DurableStage.immediate)\nreload_interval: 1"
        let stage = try AuditStage(settings: settings)
        var server = try await stage.stage.serve()

        // A whole login, one that ends without a result, and one that is never opened.
        let login = try await stage.login()
        let failure = try await stage.refusedLogin()
        #expect(failure.end["status"]?.string == "cancelled")
        #expect(try await PhoneApp(stage.stage.url).create("demo").status == 201)
        var records = try await stage.waitForRecords(1, of: "acknowledged")
        #expect(records.happened == ["started", "configuration", "keys", "delivered", "acknowledged"])
        let id = try #require(login.end["id"])
        #expect(
            records.members(of: "delivered") == [
                [
                    "login": id, "reference": try #require(login.end["reference"]), "who": "somebody", "app": "demo",
                    "provider": "demo", "platform": .null, "assurance": "substantial", "proof": "none",
                ]
            ])
        #expect(records.members(of: "acknowledged") == [["login": id, "app": "demo", "provider": "demo"]])
        let digest = try #require(records.members(of: "configuration").first?["digest"]?.string)
        #expect(try stage.digest() == digest, "it is the hash of what the operator can print")

        // The server reloads another configuration, learns a key, and signs with it once it is active.
        try stage.configure(settings: settings.replacing("Demo", with: "Other"))
        _ = try await stage.waitForRecords(2, of: "keys")
        try stage.makeNextKey(in: 8)
        try stage.configure(settings: settings, keys: ["audit", "next"])
        _ = try await stage.waitForRecords(4, of: "keys")
        let second = try await stage.login(acknowledging: false)
        // A HEAD gets no content, so it delivers no result.
        let head = try await TestClient.send(
            "HEAD", "\(stage.stage.url)/v1/logins/\(try #require(second.app.id))",
            fields: [Parameter("Authorization", "Bearer \(second.app.secret)")])
        #expect(head.status == 200 && head.text.isEmpty)
        records = try await stage.waitForRecords(2, of: "delivered")
        let later = Array(records.happened.dropFirst(5))
        #expect(
            later == ["configuration", "keys", "configuration", "keys", "configuration", "keys", "delivered"])
        let causes = records.members(of: "configuration").compactMap { $0["cause"]?.string }
        #expect(causes == ["start", "reload", "reload", "reload"])
        let names = records.members(of: "keys").compactMap { $0["key"]?["kid"]?.string }
        #expect(names.count == 4 && Set(names.prefix(3)).count == 1 && names[2] != names[3])
        let keys = records.members(of: "keys").last?["keys"]?.array
        #expect(keys?.compactMap { $0["phase"]?.string } == ["active", "retired", "active"], "the server key is first")

        // The same user has the same name, which only the server key makes.
        let who = records.records.compactMap { $0["who"]?.string }
        #expect(who.count == 2 && who[0] == who[1])
        let person = try #require(login.end["identity"])
        let (issuer, subject) = (stage.stage.front.url, try #require(person["subject"]?.string))
        // As an assertion has it.
        let sub = Base64URL.encode(Digest.sha256.hash(Array(issuer.utf8) + [0] + Array(subject.utf8)))
        #expect(try stage.who(sub) == who[0])

        // The file is moved away under the server, which goes on in a new one within a second or two.
        rename(stage.path, "\(stage.path).1")
        #expect(try await eventually { FileManager.default.fileExists(atPath: stage.path) })
        #expect(stage.end(server))
        server = try await stage.stage.serve()
        #expect(stage.end(server))
        records = try stage.records()
        #expect(records.events.prefix(2) == ["continued", "signed"])
        let moved = try stage.records("\(stage.path).1")
        #expect(moved.events.last == "signed" && moved.members(of: "signed").last?["closes"] == "file")

        let verdict = try stage.audit("verify", "--keys", try stage.keys(), stage.path, "\(stage.path).1")
        #expect(verdict.status == 0 && verdict.text.hasPrefix("The audit is whole:"), "\(verdict.text)")
        let identities = SandboxIdentity.all.flatMap {
            [$0.subject, $0.nationalID, $0.givenName, $0.familyName, $0.email]
        }
        for text in [records, moved] {
            text.expectNone(
                of: identities + [
                    login.app.secret, failure.app.secret, subject, sub,
                    FrontedSandbox.clientSecret,
                ])
        }
        await stage.stage.stop()
    }

    @Test func `each of five plays is found and called by its name`() async throws {
        let stage = try AuditStage()
        let server = try await stage.stage.serve()
        for _ in 0..<3 { _ = try await stage.login() }
        #expect(stage.end(server))
        let lines = try stage.records().text.split(separator: "\n").map { "\($0)\n" }
        let index = try #require(lines.firstIndex { $0.contains("\"delivered\"") })
        let keys = try stage.keys()
        #expect(try stage.verify(lines, keys: keys).status == 0)

        func play(_ name: String, _ status: Int, _ change: (inout [String]) -> Void) throws {
            var copy = lines
            change(&copy)
            let verdict = try stage.verify(copy, keys: keys)
            #expect(verdict.status == status && verdict.text.contains(": \(name): "), "\(verdict)")
        }
        try play("changed", 10) { $0[index] = $0[index].replacing("none", with: "link") }
        try play("missing", 11) { $0.remove(at: 5) }
        try play("doubled", 12) { $0.insert($0[6], at: 7) }
        try play("reordered", 13) { $0.swapAt(3, 5) }
        // Without its end, the file has no signature that says that the server stopped. The last one is old by now.
        let cut = "\(stage.stage.folder)/cut.jsonl"
        try lines.dropLast(2).joined().write(toFile: cut, atomically: false, encoding: .utf8)
        let verdict = try stage.audit("verify", "--keys", keys, "--at", "2100-01-01T00:00:00Z", cut)
        #expect(verdict.status == 14 && verdict.text.contains(": cut off: "), "\(verdict)")
        try play("cut off", 14) { $0[$0.count - 1].removeLast(7) }
        await stage.stage.stop()
    }

    @Test func `a server that was killed in the middle of a record is found by the next`() async throws {
        let stage = try AuditStage()
        let first = try await stage.stage.serve()
        _ = try await stage.login()
        _ = try await stage.waitForRecords(1, of: "acknowledged")
        let words = ["serve", "--config", "\(stage.stage.folder)/switchback.yaml"]
        let other = try stage.run(words, ["SWITCHBACK_STORE=memory"])
        #expect(other.status != 0 && other.text.contains("another server writes to it"), "\(other)")
        first.terminate()
        _ = first.end()
        // A record is one write, so a test has to tear it.
        let whole = try stage.records().text
        let last = try stage.records().records.count
        try (whole + "{\"chain\":\"").write(toFile: stage.path, atomically: false, encoding: .utf8)
        let second = try await stage.stage.serve()
        #expect(stage.end(second))
        let keys = try stage.keys()
        let verdict = try stage.audit("verify", "--keys", keys, stage.path)
        #expect(
            verdict.status == 0 && verdict.text.contains("ends with record \(last) without a signature"), "\(verdict)")
        #expect(verdict.text.contains("was killed while it wrote this line"), "\(verdict)")

        // The second server found the last record, so nobody can take it away any more.
        let lines = try String(contentsOfFile: stage.path, encoding: .utf8).split(separator: "\n").map { "\($0)\n" }
        let cut = try stage.verify(Array(lines[..<(last - 1)] + lines[(last + 1)...]), keys: keys)
        #expect(cut.status == 14 && cut.text.contains("found record \(last)"), "\(cut)")
        await stage.stage.stop()
    }

    @Test func `the start says what is wrong with the file and the key`() async throws {
        let stage = try AuditStage()
        func said() throws -> String {
            let words = ["serve", "--config", "\(stage.stage.folder)/switchback.yaml"]
            let run = try stage.run(words)
            #expect(run.status != 0)
            return run.text
        }
        try "a line of a log\n".write(toFile: stage.path, atomically: false, encoding: .utf8)
        #expect(try said().contains("its last line is no record of an audit. Move it away"))
        unlink(stage.path)
        symlink("\(stage.stage.folder)/elsewhere", stage.path)
        #expect(try said().contains("is a link, and is not followed. Name the file itself"))
        unlink(stage.path)
        mkfifo(stage.path, 0o600)
        #expect(try said().contains("nobody reads the pipe. Start its reader first"))
        unlink(stage.path)
        unlink("\(stage.stage.folder)/audit.pem")
        #expect(try said().contains("\(stage.stage.folder)/audit.pem"))
        let full = try AuditStage(file: "/dev/full")
        let run = try full.run(["serve", "--config", "\(full.stage.folder)/switchback.yaml"])
        #expect(run.status != 0 && run.text.contains("No space left on device. Make room for it"), "\(run.text)")
        await full.stage.stop()
        await stage.stage.stop()
    }
}

extension AuditStage {
    /// The SHA-256 of what `switchback config` prints, by another program.
    fileprivate func digest() throws -> String {
        let path = "\(self.stage.folder)/effective.yaml"
        try self.run(["config", "--config", "\(self.stage.folder)/switchback.yaml"]).text
            .write(toFile: path, atomically: false, encoding: .utf8)
        let output = "\(path).digest"
        _ = try ChildProcess(tool: "sha256sum", [path], in: self.stage.folder, output: output).end()
        return String(try String(contentsOfFile: output, encoding: .utf8).prefix(64))
    }

    /// What `audit who` prints for this sub.
    fileprivate func who(_ subject: String) throws -> String {
        let (input, output) = ("\(self.stage.folder)/sub.txt", "\(self.stage.folder)/who.txt")
        try "\(subject)\n".write(toFile: input, atomically: false, encoding: .utf8)
        let line = "\(DurableStage.binary) audit who --config switchback.yaml < \(input)"
        _ = try ChildProcess(tool: "sh", ["-c", line], in: self.stage.folder, output: output).end()
        return try String(contentsOfFile: output, encoding: .utf8).trimmingCharacters(in: .newlines)
    }
}
