import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// The program and its environment: unknown variables stop nothing, and `migrate` needs only its URL.
@Suite(.blocking) struct CommandVariableTests {
    /// The variables that a kubelet adds for a Service named switchback.
    private static let kubelet = [
        "SWITCHBACK_SERVICE_HOST=10.0.0.1", "SWITCHBACK_SERVICE_PORT=8080", "SWITCHBACK_SERVICE_PORT_HTTP=8080",
        "SWITCHBACK_PORT=tcp://10.0.0.1:8080", "SWITCHBACK_PORT_8080_TCP=tcp://10.0.0.1:8080",
        "SWITCHBACK_PORT_8080_TCP_PROTO=tcp", "SWITCHBACK_PORT_8080_TCP_PORT=8080",
        "SWITCHBACK_PORT_8080_TCP_ADDR=10.0.0.1",
    ]

    private static let warning =
        "SWITCHBACK_LITSEN: is not a setting and is ignored; did you mean SWITCHBACK_LISTEN?"

    @Test func `serve starts and warns of each variable once`() async throws {
        let stage = try DurableStage()
        let process = try await stage.serve(by: ["/usr/bin/env", "SWITCHBACK_LITSEN=x"] + Self.kubelet)
        let offset = stage.log.count
        process.send(SIGHUP)
        _ = try await stage.says("configuration_reloaded", after: offset)
        let lines = stage.log.split(separator: "\n").filter {
            $0.contains("configuration_warning") && $0.contains("SWITCHBACK_")
        }
        #expect(lines.count == 1)
        #expect(lines.first?.contains(Self.warning) == true, "\(lines)")
        process.send(SIGTERM)
        #expect(process.end())
        await stage.stop()
    }

    @Test func `check warns and succeeds`() async throws {
        let stage = try DurableStage()
        let words = ["SWITCHBACK_LITSEN=x"] + Self.kubelet + [DurableStage.binary, "check"]
        let said = try Self.run(words + ["--config", "\(stage.folder)/switchback.yaml"], in: stage.folder)
        #expect(said.succeeds)
        let lines = said.text.split(separator: "\n").filter { $0.contains("SWITCHBACK_") }
        #expect(lines == ["warning: \(Self.warning)"])
        await stage.stop()
    }

    // MARK: - migrate

    @Test(.enabled(if: PostgresServer.isWanted, "PostgreSQL is not installed"))
    func `migrate needs nothing but its URL`() throws {
        let server = try PostgresServer.shared()
        let name = try server.makeDatabase()
        let folder = NSTemporaryDirectory() + "switchback-migrate-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let migrate = [DurableStage.binary, "migrate"]

        let none = try Self.run(migrate, in: folder)
        #expect(
            !none.succeeds && none.text.contains("set postgresql.url in a configuration, or SWITCHBACK_POSTGRESQL__URL")
        )
        let wrong = try Self.run(["SWITCHBACK_POSTGRESQL__URL=postgresql:/x"] + migrate, in: folder)
        #expect(!wrong.succeeds && wrong.text.contains("postgresql.url"), "\(wrong.text)")

        try PostgresServer.password.write(toFile: "\(folder)/password", atomically: true, encoding: .utf8)
        let url = "postgresql://postgres@127.0.0.1:\(server.port)/\(name)"
        let variables = [
            "SWITCHBACK_POSTGRESQL__URL=\(url)", "SWITCHBACK_POSTGRESQL__PASSWORD_FILE=\(folder)/password",
        ]
        let first = try Self.run(variables + migrate, in: folder)
        #expect(first.succeeds && first.text.contains("created the schema"), "\(first.text)")

        // A server could not start with the other sections of this file.
        try "postgresql: {url: \"\(url)\"}\nserver_keys: [missing.key]\nnonsense: 1\n"
            .write(toFile: "\(folder)/half.yaml", atomically: true, encoding: .utf8)
        let second = try Self.run(variables.suffix(1) + migrate + ["--config", "\(folder)/half.yaml"], in: folder)
        #expect(second.succeeds && second.text.contains("already"), "\(second.text)")

        try "postgresql: {url: \"\(url)\", conections: 3}\n"
            .write(toFile: "\(folder)/wrong.yaml", atomically: true, encoding: .utf8)
        let third = try Self.run(variables.suffix(1) + migrate + ["--config", "\(folder)/wrong.yaml"], in: folder)
        #expect(!third.succeeds && third.text.contains("postgresql.conections: is not a setting"), "\(third.text)")
    }

    static func run(_ words: [String], in folder: String) throws -> (succeeds: Bool, text: String) {
        let output = "\(folder)/said-\(UInt32.random(in: 0 ... .max))"
        let process = try ChildProcess(path: "/usr/bin/env", words, in: folder, output: output)
        return (process.end(), (try? String(contentsOfFile: output, encoding: .utf8)) ?? "")
    }
}
