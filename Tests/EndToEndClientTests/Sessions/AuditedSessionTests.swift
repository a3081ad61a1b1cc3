import Base
import EndToEndSupport
import Foundation
import KeyFiles
import Sandbox
import StrictJSON
import TestSupport
import Testing

/// What a server records of a session, from its login to its end.
@Suite(.blocking) struct AuditedSessionTests {
    @Test func `each step of a session is a record`() async throws {
        let path = "\(NSTemporaryDirectory())audit-\(UInt32.random(in: 0 ... .max)).jsonl"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let stage = try await SessionStage.start(
            settings: "sessions: {idle: 300}\naudit: {file: \(path), renewals: true}",
            files: ["audit.pem": try KeyGenerator.file(.es256)])
        let phone = try SessionPhone(stage.server.url)
        let app = try await stage.session(phone)
        let pin = Secret(RandomBytes.make(32))
        #expect(try await phone.send { try phone.settingPIN(pin) }.status == 204)
        #expect(try await app.acknowledge().status == 204)
        #expect(try await phone.send { try phone.renewal(pin: pin) }.status == 200)
        let tokens = [phone.accessToken, phone.refreshToken]
        for _ in 0..<5 { _ = try await phone.send { try phone.renewal(pin: Secret(RandomBytes.make(32))) } }
        let other = try SessionPhone(stage.server.url)
        let last = try await stage.session(other, person: "soren")
        #expect(try await other.send { try other.ending(other.session) }.status == 204)
        await stage.stop()

        let records = try AuditRecords(path)
        let session: JSON = .string(phone.session)
        let login = try #require(app.id)
        let provider: JSON = .string(stage.variant.name)
        #expect(
            records.members(of: "session_begun").first == [
                "session": session, "app": "demo", "provider": provider, "login": .string(login), "who": "somebody",
                "allows": "unlock",
            ])
        #expect(records.members(of: "pin_set") == [["session": session, "app": "demo", "provider": provider]])
        #expect(
            records.members(of: "session_renewed") == [
                ["session": session, "app": "demo", "provider": .null, "allows": "unlock"]
            ])
        #expect(
            records.members(of: "session_locked_out") == [["session": session, "app": "demo", "provider": provider]])
        #expect(records.members(of: "session_begun").count == 2)
        #expect(records.members(of: "session_ended").last?["session"]?.string == other.session)
        #expect(records.members(of: "session_ended").last?["cause"] == "app")
        #expect(records.members(of: "signed") == [["closes": "chain", "jws": records.records.last?["jws"] ?? .null]])
        // The delivery and the session of a login are of the same person, and two people have two names.
        let names = records.records.compactMap { $0["who"]?.string }
        #expect(names.count == 4 && Set(names).count == 2)
        let people = SandboxIdentity.all.flatMap { [$0.subject, $0.nationalID, $0.givenName, $0.familyName] }
        records.expectNone(
            of: people + tokens + [app.secret, last.secret, phone.key.thumbprint, Base64URL.encode(pin.exposed)])
    }
}
