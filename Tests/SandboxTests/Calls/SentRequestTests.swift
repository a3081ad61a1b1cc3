import Base
import Foundation
import Testing

@testable import Sandbox

/// The commands that a visitor copies: a shell expands nothing in their values.
@Suite struct SentRequestTests {
    static let values = [
        "plain", "", "O'Hara", "''", "$(touch /tmp/never)", "`id`", "$HOME", "ends in a bang!", "!!", "two\nlines",
        "back\\slash", "\"quoted\"", "a b\tc", "-rf", "@/etc/passwd", "*", "~", "# no comment", "Søren 🦊",
        "'\u{301}; echo out", "'\u{FE0F}$(id)'",
    ]

    @Test(arguments: values, ["/bin/sh", "/bin/bash"])
    func `a shell reads a quoted value as it is`(_ value: String, _ shell: String) throws {
        #expect(try Self.output(of: "printf '%s.' \(Shell.quoted(value))", in: shell) == value + ".")
    }

    @Test(arguments: ["\n", "\r\n", "\r"]) func `a shell runs nothing of a comment`(_ lineEnd: String) throws {
        let comment = Shell.comment("printf one\(lineEnd)printf two")
        #expect(try Self.output(of: comment + "printf end", in: "/bin/sh") == "end")
    }

    /// A function in place of curl prints the words that it gets.
    @Test(arguments: values) func `a command has its values whole`(_ value: String) throws {
        let body = #"{"name": "\#(value)"}"#
        let request = SentRequest(
            method: "POST", url: "http://localhost/v1/logins?q={a}[1]",
            fields: [Parameter("Authorization", "Bearer \(value)"), Parameter("User-Agent", "none")],
            body: Array(body.utf8))
        let output = try Self.output(of: "curl() { printf '%s\\0' \"$@\"; }; " + request.curl, in: "/bin/sh")
        #expect(
            output.split(separator: "\0").map(String.init) == [
                "-i", "-X", "POST", "http://localhost/v1/logins?q={a}[1]", "--globoff", "-H",
                "Authorization: Bearer \(value)", "--data-raw", body,
            ])
    }

    @Test func `a field without a value is sent`() {
        let request = SentRequest(
            method: "GET", url: "http://localhost/", fields: [Parameter("Accept-Language", "")], body: [])
        #expect(request.curl == "curl -i 'http://localhost/' -H 'Accept-Language;'")
    }

    private static func output(of command: String, in shell: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: shell)
        process.arguments = ["-c", command]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }
}
