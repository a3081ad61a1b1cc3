import Base
import Foundation
import ServerConfiguration
import Testing

@testable import SwitchbackCommand

/// The configuration that `switchback init` writes for each broker passes `check`.
@Suite struct InitPlanTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let broker: InitBroker
        let more: InitQuestion.Answers
        let secret: String?
        let keys: [String]

        init(
            _ broker: InitBroker, _ more: InitQuestion.Answers = [:], secret: String? = "a secret of the broker",
            keys: [String] = []
        ) {
            self.broker = broker
            self.more = more
            self.secret = secret
            self.keys = keys
        }

        var testDescription: String { "\(self.broker) \(self.more.keys.map(\.rawValue).sorted())" }

        var answers: InitQuestion.Answers {
            let all: InitQuestion.Answers = [
                .broker: self.broker.rawValue, .publicURL: "https://login.example.com", .app: "shop",
                .appName: "The \"Shop\" \\ Ærø", .clientID: "urn:my:application:identifier:1",
                .issuer: self.broker.issuer ?? "https://id.example.com",
            ]
            return all.merging(self.more) { $1 }
        }
    }

    static let links: InitQuestion.Answers = [.linkURL: "https://link.example.com"]
    static let phones = links.merging([
        .iosAppID: "ABCDE12345.com.example.shop", .androidPackage: "com.example.shop",
        .androidFingerprint: Array(repeating: "0A", count: 32).joined(separator: ":"),
    ]) { $1 }
    static let resolver: InitQuestion.Answers = [.resolver: "https://id.example.com/oauth/custom-registration/digid"]

    static let rows = [
        Row(.signaturgruppen, keys: ["signing.pem"]), Row(.signaturgruppen, phones, keys: ["signing.pem"]),
        Row(.signaturgruppen, secret: nil, keys: ["signing.pem"]), Row(.idura), Row(.idura, phones),
        Row(.idura, secret: nil), Row(.vipps), Row(.vipps, phones), Row(.vipps, secret: nil),
        Row(.digid, phones.merging(resolver) { $1 }), Row(.digid, links.merging(resolver) { $1 }, secret: nil),
        Row(.digid, links.merging([.resolver: "https://resolver.example.com:8443/digid"]) { $1 }, secret: nil),
        Row(.oidc, [.eidName: "Example ID"]), Row(.oidc, phones.merging([.eidName: "Example ID"]) { $1 }),
        Row(.oidc, [.eidName: "Example ID"], secret: nil, keys: ["signing.pem"]),
    ]

    @Test func `every broker is in the table`() {
        #expect(Set(Self.rows.map(\.broker)) == Set(InitBroker.allCases))
    }

    @Test(arguments: rows) func `each configuration passes the check`(_ row: Row) throws {
        let folder = NSTemporaryDirectory() + "switchback-init-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let plan = try InitPlan(row.answers, secret: row.secret.map { Array("\($0)\n".utf8) }, folder: folder)
        let checked = try plan.check()
        try plan.write()

        let name = row.broker.name
        let hasSecret = row.broker.needsSecret || row.secret != nil
        let secrets = row.secret == nil ? [] : ["\(name).secret"]
        let files = (["assertion.pem", "server.key", "switchback.yaml"] + row.keys + secrets).sorted()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == files)
        #expect(files.allSatisfy { FileAccess.system.permissions("\(folder)/\($0)")?.mode == 0o600 })

        // As `check` reads it, with what only the operator can add.
        if hasSecret, row.secret == nil {
            try SystemFile.create("\(folder)/\(name).secret", Array("another\n".utf8))
        }
        let loader = ConfigurationLoader(path: "\(folder)/switchback.yaml", environment: [:])
        let loaded = try loader.load().outcome.get()
        #expect(loaded.warnings == [])
        #expect(loaded.configuration.apps.map(\.id) == ["shop"])
        #expect(loaded.configuration.brokers.map(\.clientID) == ["urn:my:application:identifier:1"])
        #expect(loaded.configuration.apps.first?.names["en"] == "The \"Shop\" \\ Ærø")

        let report = plan.report(checked)
        let origin = row.broker == .digid ? "https://link.example.com" : "https://login.example.com"
        #expect(report.contains("\(origin)/callback/\(name)\n"), "\(report)")
        #expect(report.contains("client/jwks.json") == !row.keys.isEmpty, "\(report)")
        #expect(report.contains("Write the client secret to") == (row.secret == nil && row.broker.needsSecret))
        #expect(row.secret.map(report.contains) != true)

        // The folder can be moved, with everything in it.
        let yaml = plan.configuration.yaml
        #expect(yaml.contains("client_secret_file: \"\(name).secret\"\n") == hasSecret, "\(yaml)")
        #expect(yaml.contains("server_keys: [\"server.key\"]\n"))
        #expect(row.secret.map(yaml.contains) != true)
    }

    private static let usable = KnownProvider.all.filter { $0.refusal == nil }.map(\.name)

    /// Without a warning, with and without links.
    @Test(arguments: usable) func `the configuration of a known provider passes`(_ name: String) throws {
        let known = try #require(KnownProvider.named(name))
        for more in [[:], Self.phones] {
            let answers: InitQuestion.Answers = [
                .provider: name, .issuer: known.exampleIssuer, .eidName: known.title,
            ]
            let row = Row(.oidc, answers.merging(more) { $1 })
            let folder = NSTemporaryDirectory() + "switchback-init-\(UInt32.random(in: 0 ... .max))"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let plan = try InitPlan(row.answers, secret: known.hasSecret ? Array("x\n".utf8) : nil, folder: folder)
            let report = plan.report(try plan.check())
            #expect(report.contains("Register this at \(known.title):"))
            #expect(known.advice.allSatisfy(report.contains))
            try plan.write()
            let variable = "SWITCHBACK_BROKERS__BROKER__CLIENT_SECRET_FILE"
            let loader = ConfigurationLoader(
                path: "\(folder)/switchback.yaml",
                environment: known.hasSecret ? [variable: "\(folder)/broker.secret"] : [:])
            #expect(try loader.load().outcome.get().warnings == [])
        }
    }

    /// Login.gov knows keys only.
    @Test func `a secret that nobody accepts is refused`() throws {
        let answers = Row(.oidc, [.provider: "login-gov", .issuer: "https://secure.login.gov", .eidName: "x"]).answers
        #expect(throws: OperatorError.self) { try InitPlan(answers, secret: [0x78], folder: "/etc/switchback") }
    }

    @Test func `no file is overwritten`() throws {
        let folder = NSTemporaryDirectory() + "switchback-init-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try SystemFile.makeFolder(folder)
        try SystemFile.create("\(folder)/switchback.yaml", Array("mine\n".utf8))
        let plan = try InitPlan(Row(.idura).answers, secret: nil, folder: folder)
        #expect(throws: OperatorError.self) { try plan.write() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["switchback.yaml"])
    }

    /// Rules that need more than one answer.
    @Test func `options that contradict each other are refused`() throws {
        let answers = Row(.idura, [.linkURL: "https://login.example.com"]).answers
        let plan = try InitPlan(answers, secret: nil, folder: "/etc/switchback")
        #expect(throws: ConfigurationError.self) { try plan.check() }
    }
}
