import EndToEndSupport
import Foundation
import StrictJSON
import TestSupport
import Testing

/// A broker whose small response is a gigabyte when it is decoded: the login fails, and the server's memory does not
/// grow.
@Suite(.blocking) struct EncodedBombTests {
    @Test func `a bomb grows to nothing in memory`() async throws {
        let stage = try DurableStage()
        let server = try await stage.serve()
        #expect(try await self.logIn(stage)["status"]?.string == "completed")
        let before = try Self.peak(of: server)
        for bomb in EncodedBomb.allCases {
            stage.front.conduct(at: "/token", .sends(bomb.answer))
            let login = try await self.logIn(stage)
            #expect(login["reason"]?["code"]?.string == "broker_unavailable", "\(bomb)")
        }
        stage.front.conduct(nil)
        #expect(try await self.logIn(stage)["status"]?.string == "completed")
        let after = try Self.peak(of: server)
        func failures() -> [Substring] {
            stage.log.split(separator: "\n").filter { $0.contains("\"login_ended\"") && $0.contains("broker_error") }
        }
        #expect(try await eventually { failures().count >= EncodedBomb.allCases.count })
        let failures = failures()
        #expect(failures.count == EncodedBomb.allCases.count)
        #expect(failures.allSatisfy { $0.contains("token_too_large") })
        // A decoder needs buffers of its own. A gigabyte would be 1,048,576.
        #expect(after - before < 32 * 1024, "\(before) kB before, \(after) kB after")
        server.send(SIGTERM)
        #expect(server.end())
        await stage.stop()
    }

    private func logIn(_ stage: DurableStage) async throws -> JSON {
        let app = PhoneApp(stage.url)
        var browser = try await ScriptedBrowser(opening: try #require(try await app.create("demo").nextURL))
        try await browser.submit(button: "approve")
        return try await app.waitForEnd()
    }

    /// The most memory that the process has ever had in use, in kB (proc(5), `VmHWM`).
    private static func peak(of process: ChildProcess) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process.id)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber)))
    }
}
