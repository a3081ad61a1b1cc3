/// An OpenID provider that nobody here wrote, in a process of its own, and what it demands of those who use it.
import Foundation
import JOSE
import Switchback

struct ForeignProvider: Sendable {
    enum Program: String, Sendable {
        /// On authlib and joserfc.
        case canaille
        /// On cryptojwt.
        case idpyoidc

        var responseModes: [String] {
            switch self {
            case .canaille: ["query"]
            case .idpyoidc: ["query", "form_post"]
            }
        }

        /// What `issuer_in_response` has to be: idpyoidc names itself in a query, but not in a form.
        var issuerInResponse: String {
            switch self {
            case .canaille: "require"
            case .idpyoidc: "optional"
            }
        }
    }

    let program: Program
    let issuer: String
    private let process: ForeignProcess
    private let folder: URL

    /// Knows every variant as a client, named like it, whose redirect URIs are those of the server at `url`.
    static func start(_ program: Program, _ variants: [ForeignVariant], for url: String) async throws -> Self {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "switchback-\(program.rawValue)-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do {
            let clients = folder.appending(path: "clients.json")
            let entries = try variants.map { JSON.object(try Self.client($0, for: url)) }
            try Data(JSON.array(entries).encoded()).write(to: clients)
            return try await Self.start(program, clients: clients.path, folder)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    private static func start(_ program: Program, clients: String, _ folder: URL) async throws -> Self {
        guard ForeignTools.areInstalled else { throw TestClient.Failure(description: ForeignTools.howToGetThem) }
        let errors = folder.appending(path: "errors").path
        let process = try ForeignProcess(
            ForeignTools.run, [ForeignTools.venv, program.rawValue, "0", clients], errors: errors)
        do {
            let words = try await process.line(within: .seconds(60)).split(separator: " ")
            guard words.count == 2, words[0] == "ready" else { throw TestClient.Failure(description: "\(words)") }
            return Self(program: program, issuer: String(words[1]), process: process, folder: folder)
        } catch {
            try await process.end()
            let said = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
            throw TestClient.Failure(description: "\(program) does not start: \(error) \(said.suffix(2000))")
        }
    }

    /// What it has said on standard error.
    var errors: String {
        (try? String(contentsOf: self.folder.appending(path: "errors"), encoding: .utf8)) ?? ""
    }

    func stop() async throws {
        try await self.process.end()
        try? FileManager.default.removeItem(at: self.folder)
    }

    private static func client(_ variant: ForeignVariant, for url: String) throws -> JSON.Object {
        let how = variant.how
        var client: JSON.Object = [
            "client_id": .string(variant.name), "redirect_uris": [.string("\(url)/callback/\(variant.name)")],
            "token_endpoint_auth_method": .string(how.authentication), "response_types": ["code"],
            "id_token_signed_response_alg": .string(how.idTokenAlgorithm),
        ]
        if how.authentication != "private_key_jwt" {
            client["client_secret"] = .string(variant.credentials == .right ? ForeignVariant.secret : "not-the-secret")
        }
        if how.requestObject == "signed" { client["request_object_signing_alg"] = .string(how.signingAlgorithm) }
        if variant.isSigning { client["jwks"] = try variant.publicKeys.json }
        return client
    }
}
