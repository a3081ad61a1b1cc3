import EndToEndSupport
import Foundation
import StrictJSON

/// A third-party OpenID provider in a process of its own.
struct ForeignProvider: Sendable {
    let program: ForeignProgram
    let issuer: String
    private let process: ForeignProcess
    private let folder: URL

    /// Starts the program with one client for each of its variants. The client has the variant's name, and redirect
    /// URIs at the server `url`.
    static func start(_ program: ForeignProgram, _ variants: [ForeignVariant], for url: String) async throws -> Self {
        let clients = try variants.filter { $0.program == program }.map { JSON.object(try $0.registration(for: url)) }
        return try await Self.start(program, clients: clients)
    }

    /// Starts the program with these clients, at any free port for port 0.
    static func start(_ program: ForeignProgram, clients entries: [JSON], port: UInt16 = 0) async throws -> Self {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "switchback-\(program.rawValue)-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do {
            let clients = folder.appending(path: "clients.json")
            try Data(JSON.array(entries).encoded()).write(to: clients)
            return try await Self.start(program, clients: clients.path, folder, port)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    private static func start(
        _ program: ForeignProgram, clients: String, _ folder: URL, _ port: UInt16
    ) async throws -> Self {
        if let missing = ForeignTools.missing, !ForeignTools.has(program) {
            throw TestClient.Failure(description: missing)
        }
        let errors = folder.appending(path: "errors").path
        let process = try ForeignProcess(
            ForeignTools.run, [ForeignTools.venv, program.rawValue, "\(port)", clients], errors: errors)
        do {
            let words = try await process.line().split(separator: " ")
            guard words.count == 2, words[0] == "ready" else { throw TestClient.Failure(description: "\(words)") }
            return Self(program: program, issuer: String(words[1]), process: process, folder: folder)
        } catch {
            try await process.end()
            let said = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
            throw TestClient.Failure(description: "\(program) does not start: \(error) \(said.suffix(2000))")
        }
    }

    /// What the program has written to standard error.
    var errors: String {
        (try? String(contentsOf: self.folder.appending(path: "errors"), encoding: .utf8)) ?? ""
    }

    /// How many token requests the program has received.
    var tokenRequests: Int { self.errors.matches(of: /POST \S*\/token HTTP/).count }

    func stop() async throws {
        try await self.process.end()
        try? FileManager.default.removeItem(at: self.folder)
    }
}
