import ConfigurationSamples
import Foundation
import TestSupport
import Testing

@testable import ServerConfiguration

/// Tests that every variable in documentation, comments, the image and the commands' help exists and is accepted.
@Suite(.blocking) struct NamedVariableTests {
    /// Files in which operators read about variables, or from which they copy them.
    static let files =
        ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Dockerfile", ".ci/image-check"]
        + ["docs", "Config", "Sources/SwitchbackCommand"].flatMap { SourceFile.paths(below: $0) }
        .filter { !Self.excluded.contains($0) }

    /// One is generated from the table of settings, the other is about a broker that does not exist.
    private static let excluded: Set = ["docs/reference/settings.md", "docs/how-to/add-a-broker.md"]

    /// Names that are not settings: of the command, of the tests and tools, and one that the compiler defines.
    static let others = Set(VariableOverrides.others).union(TestTier.switches).union(["SWITCHBACK_COMMIT"])

    @Test(arguments: files) func `every variable that a file names is accepted`(_ file: String) throws {
        for variable in Set(NamedVariable.all(in: try SourceFile.text(file)))
        where !Self.others.contains(variable.name) && !ServiceLink.isOne(variable.name, "tcp://10.0.0.1:80") {
            // A variable cannot add a broker: one of the sample configurations has it.
            let takers = try ConfigurationFileTests.samples.filter { sample in
                let source = try ConfigurationFileTests.source(sample, [variable])
                let problems = Configuration.settings(source).problems
                let refused = problems.errors.filter { $0.description.contains(variable.name) }
                return problems.warnings.isEmpty && (refused.isEmpty || !variable.hasValue)
            }
            #expect(!takers.isEmpty, "\(variable.name)=\(variable.text)")
        }
    }

    @Test(
        arguments: [
            ("`SWITCHBACK_A__B` and", "SWITCHBACK_A__B", nil), ("by SWITCHBACK_A_FILE.", "SWITCHBACK_A_FILE", nil),
            ("SWITCHBACK_nebS__NEB=/run/x", "SWITCHBACK_nebS__NEB", "/run/x"),
            ("    SWITCHBACK_URL='postgresql://a@b/c?d=e' \\", "SWITCHBACK_URL", "postgresql://a@b/c?d=e"),
            ("\"SWITCHBACK_LISTEN=127.0.0.1:80\" x", "SWITCHBACK_LISTEN", "127.0.0.1:80"),
        ] as [(String, String, String?)])
    func `a variable is found in a text`(_ text: String, _ name: String, _ value: String?) {
        #expect(NamedVariable.all(in: text) == [NamedVariable(name: name, value: value)])
    }

    @Test func `the documentation names some variables`() throws {
        #expect(NamedVariable.all(in: try SourceFile.text("docs/how-to/postgresql.md")).count > 1)
        #expect(NamedVariable.all(in: "SWITCHBACK_… and SWITCHBACK_ and switchback_x").isEmpty)
    }
}
