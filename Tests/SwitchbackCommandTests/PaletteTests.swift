import ArgumentParser
import Preflight
import ServerConfiguration
import Testing

@testable import SwitchbackCommand

/// When output has colours, and what `switchback check` prints last.
@Suite struct PaletteTests {
    static let rows: [(isTerminal: Bool, variables: [String: String], isColoured: Bool)] = [
        (true, ["TERM": "xterm-256color"], true),
        (false, ["TERM": "xterm-256color"], false),
        (true, [:], false),
        (true, ["TERM": "dumb"], false),
        (true, ["TERM": "xterm", "NO_COLOR": "1"], false),
        (true, ["TERM": "xterm", "NO_COLOR": ""], true),
        (false, ["FORCE_COLOR": "1"], true),
        (false, ["CLICOLOR_FORCE": "1"], true),
        (true, ["TERM": "dumb", "CLICOLOR_FORCE": "1"], true),
        (false, ["FORCE_COLOR": "0"], false),
        (false, ["FORCE_COLOR": "1", "NO_COLOR": "1"], false),
    ]

    @Test(arguments: rows) func `colours are for terminals`(
        _ isTerminal: Bool, _ variables: [String: String], _ isColoured: Bool
    ) {
        let text = Palette(isTerminal: isTerminal, variables).text("error:", .red)
        #expect(text == (isColoured ? "\u{1b}[1;31merror:\u{1b}[0m" : "error:"))
    }
}

@Suite struct CheckReportTests {
    static let rows: [(problems: [Diagnostic.Level], verdict: String, isReady: Bool)] = [
        ([], "Ready: 0 errors, 0 warnings\n", true),
        ([.warning], "Ready: 0 errors, 1 warning\n", true),
        ([.warning, .warning], "Ready: 0 errors, 2 warnings\n", true),
        ([.error], "Not ready: 1 error, 0 warnings\n", false),
        ([.warning, .error, .error], "Not ready: 2 errors, 1 warning\n", false),
    ]

    @Test(arguments: rows) func `the last line is the verdict`(
        _ problems: [Diagnostic.Level], _ verdict: String, _ isReady: Bool
    ) {
        var lines: [String] = []
        var report = CheckReport(Palette(isTerminal: false, [:])) { lines.append($0) }
        report.add(problems.map { Diagnostic(.file("s.yaml", line: 3), "listen", "is wrong", $0) })
        #expect(lines == problems.map { "\($0): s.yaml:3: listen: is wrong\n" })
        do throws(ExitCode) {
            try report.end()
            #expect(isReady)
        } catch {
            #expect(!isReady && error == .failure)
        }
        #expect(lines.last == verdict)
    }

    /// Each level has its colour, and so has the verdict.
    @Test func `on a terminal each level has its colour`() {
        var text = ""
        var report = CheckReport(Palette(isTerminal: true, ["TERM": "xterm"])) { text += $0 }
        report.add([Diagnostic(nil, "listen", "is odd", .warning)])
        #expect((try? report.end()) != nil)
        #expect(
            text == "\u{1b}[1;33mwarning:\u{1b}[0m listen: is odd\n\u{1b}[1;33mReady:\u{1b}[0m 0 errors, 1 warning\n")
    }
}
