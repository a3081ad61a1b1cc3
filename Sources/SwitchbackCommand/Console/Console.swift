import Base
import ServerConfiguration

/// The output of commands: results go to standard output, everything else to standard error.
enum Console {
    /// The colours of standard output.
    static let resultPalette = Palette(descriptor: 1)
    /// The colours of standard error.
    static let errorPalette = Palette(descriptor: 2)

    /// The beginning of every error on standard error.
    static var errorPrefix: String { self.errorPalette.text("error:", .red) + " " }

    static func printResult(_ text: String) {
        SystemFile.writeAll(1, Array(text.utf8))
    }

    static func printError(_ text: String) {
        SystemFile.writeAll(2, Array("\(self.errorPrefix)\(text)\n".utf8))
    }

    static func printBanner(_ text: String) {
        SystemFile.writeAll(2, Array("\(text)\n".utf8))
    }

    static func printErrors(_ problems: [Diagnostic]) {
        for problem in problems { self.printError("\(problem)") }
    }

    static func printWarnings(_ warnings: [Diagnostic]) {
        for warning in warnings { self.printBanner("\(self.errorPalette.text("warning:", .yellow)) \(warning)") }
    }
}

extension OperatorError {
    /// Ends a command with a message and the exit code 1, without its usage.
    init(_ error: FileError, of path: String) { self.init("\(path): \(error.message)") }
}
