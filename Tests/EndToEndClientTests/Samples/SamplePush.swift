import EndToEndSupport
import Foundation
import StrictJSON
import TestSupport

/// The running program of `Examples/python/push.py`.
struct SamplePush {
    private let url: String
    private let program: ForeignProcess

    /// Starts it for the logins of a server. It continues with what an earlier run left in `folder`.
    static func start(for server: RunningServer, apiKey: String, in folder: String) async throws -> SamplePush {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let script = """
            export SERVER='\(server.url)' API_KEY='\(apiKey)' STORE='\(folder)/logins.db' PORT=0
            export PYTHONDONTWRITEBYTECODE=1
            exec '\(ForeignTools.venv)/bin/python' '\(SampleProgram.examples)/python/push.py'
            """
        let program = try ForeignProcess("/bin/sh", ["-c", script], errors: "\(folder)/errors")
        do {
            let line = try await program.line()
            guard let url = line.firstMatch(of: /^listening on (http:\/\/127\.0\.0\.1:[0-9]+)$/) else {
                throw TestClient.Failure(description: "it says \(line)")
            }
            return SamplePush(url: String(url.1), program: program)
        } catch {
            let errors = (try? String(contentsOfFile: "\(folder)/errors", encoding: .utf8)) ?? ""
            try await program.end()
            throw TestClient.Failure(description: "push.py: \(error) \(errors.suffix(2000))")
        }
    }

    /// Hands it a login, as the app does. Returns the status of the answer.
    func watch(_ body: JSON) async throws -> Int {
        try await TestClient.send("POST", "\(self.url)/logins", body: body.encoded()).status
    }

    /// The next notification that it sends.
    func notification() async throws -> JSON {
        try JSON(parsing: Array(try await self.program.line().utf8))
    }

    func stop() async throws { try await self.program.end() }
}
