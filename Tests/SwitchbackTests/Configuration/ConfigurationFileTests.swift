/// `Config/switchback.yaml` names every setting with its default and its explanation, and can be loaded.
import Switchback
import Testing

@Suite struct ConfigurationFileTests {
    /// Two folders up from Tests/SwitchbackTests.
    private static let folder = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined() + "/Config/"
    static let path = Self.folder + "switchback.yaml"

    /// An RSA key takes a while to make.
    private static let rsa = Result { try KeyGenerator.file(.rs256, rsaBits: 2048) }

    static func bytes() throws -> [UInt8] { try FileAccess.system.read(Self.path) }

    static func source(
        _ path: String = Self.path, secretOf broker: String = "EXAMPLE"
    ) throws -> Configuration.Source {
        let key = ServerKeyFile.generate().exposed
        let (signing, assertion, decryption) = (
            try KeyGenerator.file(.es256), try KeyGenerator.file(.es256), try KeyGenerator.file(.es256)
        )
        return Configuration.Source(
            name: "switchback.yaml", yaml: try FileAccess.system.read(path),
            environment: ["SWITCHBACK_BROKERS__\(broker)__CLIENT_SECRET": "x"],
            files: FileAccess([
                "/etc/switchback/server.key": key, "/etc/switchback/signing.pem": signing,
                "/etc/switchback/assertion.pem": assertion, "/etc/switchback/decryption.pem": decryption,
                "/etc/switchback/digid.pem": try Self.rsa.get(),
            ]))
    }

    @Test func itCanBeLoaded() throws {
        #expect(SampleConfiguration.problems(try Self.source()) == [])
    }

    @Test(arguments: [
        ("signaturgruppen.yaml", "NEB"), ("vipps.yaml", "VIPPS"), ("idura.yaml", "IDURA"), ("digid.yaml", "DIGID"),
    ])
    func theSamplesCanBeLoaded(_ file: String, _ broker: String)
        throws
    {
        #expect(SampleConfiguration.problems(try Self.source(Self.folder + file, secretOf: broker)) == [])
    }

    /// The file has no key that the table has not: it would not load. Here the other direction, and the defaults.
    @Test(arguments: Setting.all) func itNamesTheSettingWithItsDefault(_ setting: Setting) throws {
        let (settings, _) = Configuration.settings(try Self.source())
        let entries = settings.entries.filter { $0.setting.pattern == setting.pattern }
        #expect(!entries.isEmpty)
        for entry in entries {
            if case .value(let value) = setting.presence { #expect(entry.value == value) }
        }
        #expect(try Self.explanations()[setting.pattern.description] == setting.explanation)
    }

    @Test func itNamesNoSettingTwiceAndNoOther() throws {
        #expect(try Self.explanations().keys.sorted() == Setting.all.map(\.pattern.description).sorted())
    }

    /// The comment above each setting, its lines joined, by the setting's pattern.
    static func explanations() throws -> [String: String] {
        var found: [String: String] = [:]
        var comment: [Substring] = []
        var parents: [(indent: Int, name: String)] = []
        for line in String(decoding: try Self.bytes(), as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            let text = line.drop { $0 == " " || $0 == "-" }
            if text.hasPrefix("#") {
                comment.append(text.dropFirst().drop { $0 == " " })
            } else if let colon = text.firstIndex(of: ":") {
                let indent = line.count - text.count
                parents.removeAll { $0.indent >= indent }
                parents.append((indent, String(text[..<colon])))
                let pattern = Self.pattern(parents.map(\.name))
                if !text.hasSuffix(":") { found[pattern] = comment.joined(separator: " ") }
                comment = []
            } else {
                comment = []
            }
        }
        return found
    }

    private static func pattern(_ names: [String]) -> String {
        var names = names
        if ["apps", "brokers", "providers"].contains(names.first), names.count > 1 { names[1] = "*" }
        return names.joined(separator: ".").replacing(/^(keys\.[a-z]+|apps\.\*\.android|tls\.more)\./) { "\($0.1)[]." }
    }
}

extension Setting: CustomTestStringConvertible {
    package var testDescription: String { self.pattern.description }
}
