import ArgumentParser
import Preflight
import ServerConfiguration

/// Prints the findings of `switchback check`, each on a line of its own, and after them the verdict.
struct CheckReport {
    private let palette: Palette
    private let print: (String) -> Void
    private var errors = 0
    private var warnings = 0

    init(_ palette: Palette = Console.resultPalette, print: @escaping (String) -> Void = Console.printResult) {
        self.palette = palette
        self.print = print
    }

    mutating func add(_ problems: [Diagnostic]) {
        for problem in problems { self.add(problem.level == .error ? .error : .warning, "\(problem)") }
    }

    mutating func add(_ findings: [Finding]) {
        for finding in findings { self.add(finding.level, finding.text) }
    }

    private mutating func add(_ level: Finding.Level, _ text: String) {
        switch level {
        case .ok: break
        case .warning: self.warnings += 1
        case .error: self.errors += 1
        }
        self.print("\(self.palette.text("\(level.rawValue):", level.colour)) \(text)\n")
    }

    /// Prints the verdict. Throws the exit code 1 if there was an error.
    func end() throws(ExitCode) {
        let isReady = self.errors == 0
        let colour: Palette.Colour = !isReady ? .red : self.warnings > 0 ? .yellow : .green
        let verdict = self.palette.text(isReady ? "Ready:" : "Not ready:", colour)
        self.print("\(verdict) \(Self.count(self.errors, "error")), \(Self.count(self.warnings, "warning"))\n")
        guard isReady else { throw .failure }
    }

    private static func count(_ count: Int, _ word: String) -> String { count == 1 ? "1 \(word)" : "\(count) \(word)s" }
}

extension Finding.Level {
    fileprivate var colour: Palette.Colour {
        switch self {
        case .ok: .green
        case .warning: .yellow
        case .error: .red
        }
    }
}
