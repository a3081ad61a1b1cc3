import AttestedPhones
import Attestation
import Base
import ConfigurationSamples
import Testing

@testable import ServerConfiguration

/// Tests the rules for attestations: each row is a setting, with what is found.
@Suite struct AttestationRuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// More settings of the app `shop`.
        let shop: String
        /// The settings of `attestation`.
        let attestation: String
        /// The age of the status list in hours.
        var age = 1
        let finds: [String]

        init(_ shop: String, _ attestation: String = "", age: Int = 1, _ finds: String...) {
            (self.shop, self.attestation, self.age, self.finds) = (shop, attestation, age, finds)
        }

        var testDescription: String { "\(self.shop) {\(self.attestation)} \(self.age) \(self.finds)" }
    }

    private static let unlock = "session: unlock, session_audience: api"
    private static let ios = #"ios: {app_ids: ["1234567890.com.example.app"]}"#
    private static func ios(in environments: String) -> String {
        "\(Self.unlock), attestation: required, "
            + #"ios: {app_ids: ["1234567890.a"], app_attest_environments: [\#(environments)]}"#
    }
    private static let print = Array(repeating: "0A", count: 32).joined(separator: ":")
    private static let android = #"android: [{package: com.example.app, sha256_cert_fingerprints: ["\#(print)"]}]"#
    private static let list = "status_list: list.json"
    private static let missing = "attestation.status_list"

    static let requirements = [
        Row(unlock), Row("\(unlock), attestation: none"),
        Row("\(unlock), attestation: optional, \(ios)"), Row("\(unlock), attestation: required, \(ios)"),
        Row("\(unlock), attestation: required, \(ios), \(android)", list),
        Row("\(unlock), attestation: optional, \(android)", list),
        Row("\(unlock), attestation: often, \(ios)", "", "error apps.shop.attestation"),
        // Only sessions with a row are attested.
        Row("attestation: optional, \(ios)", "", "error apps.shop.attestation"),
        Row("session: access, session_audience: api, attestation: required, \(ios)", "", "error apps.shop.attestation"),
        Row("session: refresh, session_audience: api, attestation: required, \(ios)"),
        // Which apps are genuine.
        Row("\(unlock), attestation: optional", "", "error apps.shop.attestation"),
        Row("\(unlock), attestation: required, ios: {app_ids: []}", "", "error apps.shop.attestation"),
        // Without attestation these settings are for links, which need a link_url.
        Row("\(unlock), \(ios)", "", "error apps.shop.ios.app_ids"),
        Row("\(unlock), attestation: none, \(android)", "", "error apps.shop.android"),
    ]

    static let environments = [
        Row(ios(in: ""), "", "error apps.shop.ios.app_attest_environments"), Row(ios(in: "production")),
        Row(ios(in: "production, development"), "", "warning apps.shop.ios.app_attest_environments"),
        Row(ios(in: "sandbox"), "", "error apps.shop.ios.app_attest_environments"),
    ]

    static let files = [
        // Google's list.
        Row("\(unlock), attestation: required, \(android)", "", "error \(missing)"),
        Row("\(unlock), attestation: optional, \(android)", "", "warning \(missing)"),
        Row("\(unlock), attestation: required, \(ios), \(android)", "", "error \(missing)"),
        Row("\(unlock), attestation: required, \(android)", list, age: 24),
        Row("\(unlock), attestation: required, \(android)", list, age: 25, "warning \(missing)"),
        Row("\(unlock), attestation: required, \(android)", list, age: 7 * 24 + 1, "warning \(missing)"),
        Row("\(unlock), attestation: optional, \(android)", list, age: 7 * 24 + 1, "warning \(missing)"),
        Row(unlock, "status_list: nothing.json", "error \(missing)"),
        Row(unlock, "status_list: broken.json", "error \(missing)"),
        Row(unlock, "status_list: empty.json", "error \(missing)"),
        // A file of unknown age counts as too old.
        Row("\(unlock), attestation: required, \(android)", "status_list: timeless.json", "warning \(missing)"),
        // More roots.
        Row(unlock, "apple_roots: [root.pem], android_roots: [root.pem]"),
        Row(unlock, "apple_roots: [root.pem, second.pem]"),
        Row(unlock, "apple_roots: [nothing.pem]", "error attestation.apple_roots"),
        Row(unlock, "apple_roots: [list.json]", "error attestation.apple_roots"),
        Row(unlock, "android_roots: [leaf.pem]", "error attestation.android_roots"),
        Row(
            unlock, "apple_roots: [leaf.pem], android_roots: [leaf.pem]", "error attestation.android_roots",
            "error attestation.apple_roots"),
    ]

    private static let now = Timestamp(seconds: Moment.now)
    private static let pems = Result {
        let stage = try AppAttestStage()
        return (
            root: try stage.root.pem(), second: try KeyAttestationStage.remote().root.pem(),
            leaf: try stage.leaf.pem()
        )
    }

    private static func source(_ row: Row) throws -> ConfigurationSource {
        let pems = try self.pems.get()
        let yaml = """
            public_url: https://login.example.com
            store: memory
            server_keys: [server.key]
            keys: {access: [{file: access.pem}], session: [{file: session.key}]}
            apps: {shop: {name: Shop, return_scheme: com.example.shop, proof_over_scheme: true, \(row.shop)}}
            brokers: {b: {kind: oidc, issuer: "https://id.example.com", client_id: c, client_secret: s}}
            providers: {p: {broker: b, names: P, prompt: login, session: unlock}}
            attestation: {\(row.attestation)}
            """
        let more: [String: [UInt8]] = [
            "list.json": Array(#"{"entries": {"bad0": {"status": "REVOKED"}}}"#.utf8),
            "timeless.json": Array(#"{"entries": {"bad0": {"status": "REVOKED"}}}"#.utf8),
            "broken.json": Array("{".utf8),
            "empty.json": Array("{}".utf8), "root.pem": pems.root, "second.pem": pems.second, "leaf.pem": pems.leaf,
        ]
        let samples = SampleConfiguration.files
        var files = FileAccess(
            read: { path throws(FileError) in
                guard let bytes = more[path] else { return try samples.read(path) }
                return bytes
            }, isFolder: samples.isFolder)
        files.modified = { $0 == "list.json" ? Self.now - .seconds(row.age * 3600) : nil }
        return ConfigurationSource(name: "s.yaml", yaml: Array(yaml.utf8), files: files, now: Self.now)
    }

    private static func problems(_ row: Row) throws -> [Diagnostic] {
        let source = try self.source(row)
        do throws(ConfigurationError) {
            return try Configuration.load(source).warnings
        } catch {
            return error.errors + error.warnings
        }
    }

    @Test(arguments: requirements + environments + files)
    func `each mistake about attestation is found`(_ row: Row) throws {
        let found = try Self.problems(row).filter { $0.path != "apps.shop.proof_over_scheme" }
        #expect(found.map { "\($0.level) \($0.path)" }.sorted() == row.finds.sorted(), "\(found)")
    }

    /// Each message says what is wrong and what to do.
    @Test func `each message says what to do`() throws {
        let rows = [
            Row("\(Self.unlock), attestation: required, \(Self.android)"),
            Row("\(Self.unlock), attestation: required, \(Self.android)", Self.list, age: 200),
            Row("attestation: required, \(Self.ios)"), Row(Self.unlock, "android_roots: [leaf.pem]"),
        ]
        let found = try rows.map { try Self.problems($0).map(\.description).last ?? "" }
        #expect(
            found == [
                "s.yaml: attestation.status_list: is missing, and without it nobody learns that the attestation keys of a phone have leaked. Download https://android.googleapis.com/attestation/status every few hours, and name the file",
                "s.yaml:8: attestation.status_list: is older than a week, or dated in the future, so no Android phone can begin a session of apps.shop. Download https://android.googleapis.com/attestation/status again",
                "s.yaml:5: apps.shop.attestation: has no effect while session is none: only sessions of level refresh or unlock are attested. Remove it, or raise session",
                "s.yaml:8: attestation.android_roots: leaf.pem: a certificate is not the self-signed one of an authority",
            ])
    }

    @Test func `the settings of attestation have their values`() throws {
        let row = Row("\(Self.unlock), attestation: optional, \(Self.ios), \(Self.android)", Self.list)
        let configuration = try Configuration(Self.source(row))
        #expect(configuration.apps.map(\.attestation) == [.optional])
        #expect(configuration.apps.map(\.attestEnvironments) == [[.production]])
        #expect(configuration.attestation.statusList?.count == 1)
        #expect(configuration.attestation.statusList?.writtenAt == Self.now - .seconds(3600))
        #expect((configuration.attestation.appleRoots.count, configuration.attestation.androidRoots.count) == (1, 2))
        let policy = try #require(configuration.sessionConfiguration?.terms["shop"]?.attestation)
        #expect(!policy.isRequired)
        let none = try Configuration(Self.source(Row(Self.unlock)))
        #expect(none.sessionConfiguration?.terms["shop"]?.attestation == nil)
        #expect(none.attestation.statusList == nil)
    }

    /// A list that was downloaded again is read again, even if Google has changed nothing.
    @Test func `a file written again has changed`() throws {
        var files = FileAccess(["a": [1], "b": [2]])
        files.modified = { $0 == "a" ? Timestamp(seconds: 1) : nil }
        let recorder = FileDigests.Recorder(files)
        for path in ["a", "b"] { _ = try recorder.access.read(path) }
        _ = recorder.access.modified("a")
        let first = recorder.digest
        #expect(first.reread(files).changes(since: first) == [])
        files.modified = { _ in Timestamp(seconds: 2) }
        #expect(first.reread(files).changes(since: first) == ["a"], "nobody asked how old b is")
    }
}
