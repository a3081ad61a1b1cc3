/// The output of commands: results go to standard output, everything else to standard error.
import Base
import ServerConfiguration

enum Console {
    static func result(_ text: String) {
        SystemFile.writeAll(1, Array(text.utf8))
    }

    static func error(_ text: String) {
        SystemFile.writeAll(2, Array("switchback: \(text)\n".utf8))
    }

    static func banner(_ text: String) {
        SystemFile.writeAll(2, Array("\(text)\n".utf8))
    }

    static func problems(_ problems: [Diagnostic], in name: String) {
        let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        let list = problems.map { "  \($0)\n" }.joined()
        Self.error("\(name): \(count)\n\(list)")
    }

    static func warnings(_ warnings: [Diagnostic]) {
        for warning in warnings { Self.error("warning: \(warning)") }
    }
}
