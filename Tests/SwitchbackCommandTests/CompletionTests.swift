import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import SwitchbackCommand

/// The completion script of bash, in bash.
@Suite(.blocking) struct CompletionTests {
    static let rows: [(words: [String], completions: String)] = [
        (["ch"], "check"),
        (["init", "--broker", "i"], "idura"),
        (["init", "--provider", "keyc"], "keycloak"),
        (["completion", "fi"], "fish"),
        (["keys", "generate", "de"], "decryption"),
        (["serve", "--log-format", "j"], "json"),
    ]

    @Test(arguments: rows) func `bash completes each word`(_ words: [String], _ completions: String) throws {
        let folder = NSTemporaryDirectory() + "switchback-completion-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let line = (["switchback"] + words).joined(separator: " ")
        // bash passes the program, the word to complete, and the word before it.
        let last = (["switchback"] + words).suffix(2)
        let script =
            try CompletionCommand.parse(["bash"]).script + """

                COMP_WORDS=(\(line)) COMP_CWORD=\(words.count) COMP_LINE='\(line)' COMP_POINT=\(line.count)
                COMPREPLY=()
                _switchback switchback '\(last.last ?? "")' '\(last.first ?? "")'
                echo "${COMPREPLY[*]}"

                """
        try script.write(toFile: "\(folder)/script", atomically: true, encoding: .utf8)
        let process = try ChildProcess(tool: "bash", ["script"], in: folder, output: "\(folder)/output")
        #expect(process.end())
        #expect(try String(contentsOfFile: "\(folder)/output", encoding: .utf8) == "\(completions)\n")
    }
}
