/// The output of commands: results go to standard output, everything else to standard error.
import Base
import ServerConfiguration

enum Console {
    static func printResult(_ text: String) {
        SystemFile.writeAll(1, Array(text.utf8))
    }

    static func printError(_ text: String) {
        SystemFile.writeAll(2, Array("switchback: \(text)\n".utf8))
    }

    static func printBanner(_ text: String) {
        SystemFile.writeAll(2, Array("\(text)\n".utf8))
    }

    static func printProblems(_ problems: [Diagnostic], in name: String) {
        let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        let list = problems.map { "  \($0)\n" }.joined()
        Self.printError("\(name): \(count)\n\(list)")
    }

    static func printWarnings(_ warnings: [Diagnostic]) {
        for warning in warnings { Self.printError("warning: \(warning)") }
    }
}
