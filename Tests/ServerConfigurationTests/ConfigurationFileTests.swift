import ConfigurationSamples
import KeyFiles
import ServerConfiguration
import TestSupport
import Testing

/// Tests that `Config/switchback.yaml` names every setting with its default and its explanation, and that every file
/// beside it loads.
@Suite struct ConfigurationFileTests {
    private static let folder = SourceFile.path("Config") + "/"

    /// It takes a while to make an RSA key.
    private static let rsa = Result { try KeyGenerator.file(.rs256, rsaBits: 2048) }

    static func bytes() throws -> [UInt8] { try FileAccess.system.read(Self.folder + "switchback.yaml") }

    static func source(_ file: String = "switchback.yaml", _ variables: [NamedVariable]) throws -> ConfigurationSource {
        let key = ServerKeyFile.generate().exposed
        let (signing, assertion, decryption) = (
            try KeyGenerator.file(.es256), try KeyGenerator.file(.es256), try KeyGenerator.file(.es256)
        )
        var files = [
            "/etc/switchback/server.key": key, "/etc/switchback/signing.pem": signing,
            "/etc/switchback/assertion.pem": assertion, "/etc/switchback/decryption.pem": decryption,
            "/etc/switchback/access.pem": try KeyGenerator.file(.es256),
            "/etc/switchback/audit.pem": try KeyGenerator.file(.es256),
            "/etc/switchback/session.key": try KeyGenerator.file(.session),
            "/etc/switchback/digid.pem": try Self.rsa.get(),
        ]
        for variable in variables where variable.name.hasSuffix("_FILE") { files[variable.text] = Array("x\n".utf8) }
        return ConfigurationSource(
            name: file, yaml: try FileAccess.system.read(Self.folder + file),
            environment: Dictionary(variables.map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first }),
            files: FileAccess(files))
    }

    static func source() throws -> ConfigurationSource {
        try Self.source(
            "switchback.yaml", [NamedVariable(name: "SWITCHBACK_BROKERS__EXAMPLE__CLIENT_SECRET", value: "x")])
    }

    /// With the secrets in the variables that its own comments name, and no others.
    @Test(arguments: samples)
    func `each sample is a valid configuration with its variables`(_ file: String) throws {
        let variables = NamedVariable.all(in: try SourceFile.text("Config/\(file)"))
        // One secret is set as a value and as a file.
        let names = Set(variables.map(\.name))
        let source = try Self.source(file, variables.filter { !names.contains($0.name + "_FILE") })
        #expect(!variables.isEmpty)
        #expect(SampleConfiguration.problems(source) == [])
        #expect(Configuration.settings(source).problems.warnings == [])
    }

    static let samples = SourceFile.names(in: "Config").filter { $0.hasSuffix(".yaml") }

    /// The file has no unknown key, or it would not load. This tests the other direction, and the defaults.
    @Test(arguments: SettingTable.all) func `the file names the setting with its default`(_ setting: SettingRow) throws
    {
        let entries = try Self.settings.get().entries.filter { $0.setting.pattern == setting.pattern }
        #expect(!entries.isEmpty)
        for entry in entries {
            if case .value(let value) = setting.presence { #expect(entry.value == value) }
        }
        #expect(try Self.explanations.get()[setting.pattern.description] == setting.explanation)
    }

    @Test func `the file names no setting twice, and no other`() throws {
        #expect(try Self.explanations.get().keys.sorted() == SettingTable.all.map(\.pattern.description).sorted())
    }

    /// The comment above each setting, its lines joined, by the setting's pattern. Read once for all rows.
    static let settings = Result { Configuration.settings(try Self.source()).settings }
    static let explanations = Result { SampleFile(String(decoding: try Self.bytes(), as: UTF8.self)).explanations }
}

extension SettingRow: CustomTestStringConvertible {
    package var testDescription: String { self.pattern.description }
}
