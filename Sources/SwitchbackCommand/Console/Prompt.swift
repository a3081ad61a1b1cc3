import Base

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Asks the operator at a terminal. Questions go to standard error, so that standard output has only results.
enum Prompt {
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 }

    /// Returns the answer without blanks around it; nil at the end of the input.
    static func line(_ text: String) -> String? {
        SystemFile.writeAll(STDERR_FILENO, Array(text.utf8))
        guard let line = readLine() else { return nil }
        let rest = line.drop { $0.isWhitespace }
        return rest.lastIndex { !$0.isWhitespace }.map { String(rest[...$0]) } ?? ""
    }

    /// The same for a secret: the terminal does not show what is typed.
    static func hiddenLine(_ text: String) -> String? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return self.line(text) }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            SystemFile.writeAll(STDERR_FILENO, [0x0A])
        }
        return self.line(text)
    }
}
