import ArgumentParser
import Base
import Testing

@testable import SwitchbackCommand

/// Errors begin alike, and only a wrong option shows the usage.
@Suite struct CommandErrorTests {
    static let rows: [(words: [String], code: ExitCode, message: String, usage: String)] = [
        (["frob"], .validationFailure, "Unexpected argument 'frob'", "switchback <subcommand>"),
        (["keys", "rotate"], .validationFailure, "Missing expected argument '<use>'", "switchback keys rotate <use>"),
        (["completion", "csh"], .validationFailure, "The value 'csh' is invalid", "switchback completion <shell>"),
        (["sandbox", "--listen", "x"], .validationFailure, "--listen must be an address", "switchback sandbox"),
    ]

    @Test(arguments: rows) func `a wrong option shows the usage of its command`(
        _ words: [String], _ code: ExitCode, _ message: String, _ usage: String
    ) throws {
        let error = #expect(throws: (any Error).self) { _ = try SwitchbackCommand.parseAsRoot(words) }
        let text = SwitchbackCommand.fullMessage(for: try #require(error))
        #expect(text.hasPrefix("error: \(message)"), "\(text)")
        #expect(text.contains("\nUsage: \(usage)"), "\(text)")
        #expect(SwitchbackCommand.exitCode(for: try #require(error)) == code)
    }

    /// `serve` and others cannot do anything then.
    @Test func `without a configuration the command says what to do`() throws {
        let options = try ConfigurationOptions.parse([])
        let error = #expect(throws: OperatorError.self) { try options.loader([:]) }
        let text = SwitchbackCommand.fullMessage(for: try #require(error))
        #expect(text.hasPrefix("error: no configuration is named: use --config FILE"))
        #expect(text.contains("`switchback init`") && !text.contains("Usage"))
        #expect(SwitchbackCommand.exitCode(for: try #require(error)) == .failure)
    }
}
