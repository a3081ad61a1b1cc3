import EndToEndSupport
import Foundation
import StrictJSON
import TestSupport

/// A sample from `Examples/`: the backend of an app, in one language with one JWT library. It reads one assertion per
/// line, and writes one line for each.
enum SampleProgram: String, CaseIterable, Sendable {
    /// PyJWT, with joserfc for encryption.
    case python
    /// panva's jose, Debian's node-jose.
    case node
    /// square/go-jose.
    case go

    struct Line: Sendable {
        let assertion: String
        let nonce: String

        fileprivate var text: String {
            let json: JSON = ["assertion": .string(self.assertion), "nonce": .string(self.nonce)]
            return String(decoding: json.encoded(), as: UTF8.self) + "\n"
        }
    }

    static let examples = SourceFile.path("Examples")
    private static let cache = SourceFile.path(".build/go-cache")

    /// The shell command that starts it. Go compiles it first, from Debian's sources and without network.
    private func start(in folder: String) -> String {
        switch self {
        case .python: "exec '\(ForeignTools.venv)/bin/python' '\(Self.examples)/python/verify.py'"
        case .node: "NODE_PATH=/usr/share/nodejs exec node '\(Self.examples)/node/verify.cjs'"
        case .go:
            // The lock lets one test compile; the others then use the cache.
            "mkdir -p '\(Self.cache)' && CGO_ENABLED=0 GO111MODULE=off GOFLAGS= GOPATH=/usr/share/gocode "
                + "GOCACHE='\(Self.cache)' flock '\(Self.cache)/lock' "
                + "go build -o '\(folder)/verify' '\(Self.examples)/go/verify.go' && exec '\(folder)/verify'"
        }
    }

    /// Returns the program's answers, one for each line.
    func answers(
        to lines: [Line], of server: RunningServer, audience: String = "demo", type: String? = nil, key: [UInt8]? = nil
    ) async throws -> [JSON] {
        let folder = "\(NSTemporaryDirectory())/switchback-sample-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(lines.map(\.text).joined().utf8).write(to: URL(filePath: "\(folder)/lines"))
        var settings = "ISSUER='\(server.url)' AUDIENCE=\(audience) PROVIDERS=\(server.configuration.providers[0].id) "
        if let type { settings += "TYP=\(type) " }
        if let key {
            try Data(key).write(to: URL(filePath: "\(folder)/key.pem"))
            settings += "KEY='\(folder)/key.pem' "
        }
        let script = "export \(settings); \(self.start(in: folder)) < '\(folder)/lines'"
        let program = try ForeignProcess("/bin/sh", ["-c", script], errors: "\(folder)/errors")
        var answers: [JSON] = []
        do {
            // The first answer may wait for the compiler on a busy machine.
            for _ in lines {
                answers.append(try JSON(parsing: Array(try await program.line(within: .seconds(180)).utf8)))
            }
        } catch {
            let errors = (try? String(contentsOfFile: "\(folder)/errors", encoding: .utf8)) ?? ""
            try await program.end()
            throw TestClient.Failure(
                description: "\(self) after \(answers.count) answers: \(error) \(errors.suffix(2000))")
        }
        try await program.end()
        return answers
    }
}
