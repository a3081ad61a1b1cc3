import Base
import EndToEndSupport
import Foundation
import PhoneKeys
import TestSupport
import Testing

/// A phone and an API in Python: other people's libraries make the proofs and verify the tokens.
@Suite(.blocking, .enabled(if: TestTier.isWhole, "`make check` installs the libraries"))
struct ForeignSessionTests {
    private static let script = SourceFile.path("Tests/ForeignClients/session.py")

    @Test func `joserfc and PyJWT make proofs and verify tokens`() async throws {
        let stage = try await SessionStage.start()
        let phone = try SessionPhone(stage.server.url)
        let app = try await stage.login(phone)
        let folder = "\(NSTemporaryDirectory())/switchback-session-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(phone.key.pem.exposed).write(to: URL(filePath: "\(folder)/key.pem"))
        let settings =
            "ISSUER='\(stage.server.url)' CLIENT_ID=demo AUDIENCE='\(SessionPhone.audience)' "
            + "KEY='\(folder)/key.pem' POLL_SECRET='\(app.secret)'"
        let program = try ForeignProcess(
            "/bin/sh", ["-c", "export \(settings); exec '\(ForeignTools.venv)/bin/python' '\(Self.script)'"],
            errors: "\(folder)/errors")
        var count = 0
        do {
            while true {
                let line = try await program.line()
                if line == "done" { break }
                #expect(line.hasPrefix("ok "), "\(line)")
                count += 1
            }
        } catch {
            let errors = (try? String(contentsOfFile: "\(folder)/errors", encoding: .utf8)) ?? ""
            Issue.record("after \(count) lines: \(error) \(errors.suffix(2000))")
        }
        #expect(count == 23)
        try await program.end()
        await stage.stop()
    }
}
