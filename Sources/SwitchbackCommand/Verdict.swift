/// How many errors and warnings there were: the last line of `switchback check`.
struct Verdict: CustomStringConvertible {
    private(set) var errors = 0
    private(set) var warnings = 0

    static func += (a: inout Self, b: Self) {
        a.errors += b.errors
        a.warnings += b.warnings
    }

    var description: String {
        guard self.errors + self.warnings > 0 else { return "ok" }
        return "\(Self.text(self.errors, "error")), \(Self.text(self.warnings, "warning"))"
    }

    private static func text(_ count: Int, _ word: String) -> String { count == 1 ? "1 \(word)" : "\(count) \(word)s" }
}
