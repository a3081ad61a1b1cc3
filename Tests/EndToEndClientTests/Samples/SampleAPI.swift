import EndToEndSupport
import Foundation
import TestSupport

/// The running API of `Examples/python-api`.
struct SampleAPI {
    let url: String
    private let program: ForeignProcess
    private let folder: String

    /// Starts it for the access tokens of a server. Payments need one of `classes` (RFC 9470 §3).
    static func start(for server: RunningServer, audience: String, classes: String) async throws -> SampleAPI {
        let folder = "\(NSTemporaryDirectory())/switchback-api-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let script = """
            export ISSUER='\(server.url)' AUDIENCE='\(audience)' ACR_VALUES='\(classes)' MAX_AGE=300 PORT=0
            export PYTHONDONTWRITEBYTECODE=1
            exec '\(ForeignTools.venv)/bin/python' '\(SampleProgram.examples)/python-api/api.py'
            """
        let program = try ForeignProcess("/bin/sh", ["-c", script], errors: "\(folder)/errors")
        do {
            let line = try await program.line()
            guard let url = line.firstMatch(of: /^listening on (http:\/\/127\.0\.0\.1:[0-9]+)$/) else {
                throw TestClient.Failure(description: "it says \(line)")
            }
            return SampleAPI(url: String(url.1), program: program, folder: folder)
        } catch {
            let errors = (try? String(contentsOfFile: "\(folder)/errors", encoding: .utf8)) ?? ""
            try await program.end()
            throw TestClient.Failure(description: "the API: \(error) \(errors.suffix(2000))")
        }
    }

    /// What it wrote: the reason of each refusal.
    var log: String { (try? String(contentsOfFile: "\(self.folder)/errors", encoding: .utf8)) ?? "" }

    func stop() async throws {
        try await self.program.end()
        try? FileManager.default.removeItem(atPath: self.folder)
    }
}
