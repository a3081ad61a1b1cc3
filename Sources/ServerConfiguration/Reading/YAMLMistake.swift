/// What is wrong with a file that is not YAML, in words for those who do not know the parser's.
///
/// It reads the lines, and quotes none of them, because they may contain secrets.
struct YAMLMistake {
    private let problem: String
    /// Where the parser stopped, and where it began the part that it could not end. The first line is 1.
    private let line: Int
    private let start: Int?
    private let lines: [Substring]

    init(_ problem: String, line: Int, start: Int?, in text: String) {
        self.problem = problem
        self.line = line
        self.start = start
        self.lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// The line of the mistake, and the message about it.
    var finding: (line: Int, message: String) {
        if let line = self.nearest(where: { $0.prefix { $0 == " " || $0 == "\t" }.contains("\t") }) {
            return (line, "is not YAML: the line begins with a tab. Use spaces")
        }
        if let line = self.nearest(where: { $0.contains("\u{A0}") }) {
            return (line, "is not YAML: the line has a no-break space (U+00A0). Use a plain space")
        }
        if let line = self.nearest(where: Self.hasTemplate) {
            return (line, "is not YAML: {{ }} is of a template, which nothing fills in here. Write the value")
        }
        if let line = self.nearest(where: { $0.contains(": [::") }) {
            return (line, "is not YAML: put an address in brackets into quotes")
        }
        if let line = self.nearest(where: { $0.contains(": #") }) {
            return (line, "is not YAML: \(self.problem). A # begins a comment: put a value with it into quotes")
        }
        if let start = self.start, self.isUnended {
            return (start, "is not YAML: a quotation mark or bracket that begins here does not end")
        }
        if self.problem.contains("mapping values") || self.problem.contains("expected ':'"),
            let line = self.nearest(where: Self.lacksSpace)
        {
            return (line, "is not YAML: a space is missing after the colon")
        }
        if let finding = self.findingOfCharacters { return finding }
        let isOfIndent = self.problem.contains("expected key") || self.problem.contains("mapping values")
        let advice = isOfIndent ? ". Compare how far this line and the one above are indented" : ""
        return (self.line, "is not YAML: \(self.problem)\(advice)")
    }

    /// The line and the words for a text that needs quotes or a colon, because YAML reads it as something else.
    private var findingOfCharacters: (line: Int, message: String)? {
        if self.problem.contains("could not find expected ':'") {
            let line = self.nearest(where: { !$0.contains(":") && $0.contains(where: \.isLetter) }) ?? self.line
            return (line, "is not YAML: the line has no colon after its name")
        }
        if self.problem.contains("mapping values"), self.line(self.line).ranges(of: ": ").count > 1 {
            return (self.line, "is not YAML: put quotes around a text with a colon and a blank in it")
        }
        if self.problem.contains("expected key"),
            let line = self.nearest(where: { $0.count(where: { $0 == "'" }) > 2 || $0.count(where: { $0 == "\"" }) > 2 }
            )
        {
            return (line, "is not YAML: a quotation mark stands inside a text: put the other kind around the text")
        }
        if self.problem.contains("cannot start any token") || self.problem.contains("alphabetic or numeric")
            || self.problem.contains("undefined alias")
        {
            return (self.line, "is not YAML: put quotes around a text that begins with a sign such as % @ ` * or &")
        }
        if self.problem.contains("another document") || self.problem.contains("<document start>") {
            return (
                self.line, "is not YAML: a second document begins here, and a configuration is one (--- and ... divide)"
            )
        }
        return self.problem.contains("nesting level") ? (self.line, "is not YAML: it is nested too deeply") : nil
    }

    private var isUnended: Bool {
        self.problem.contains("unexpected end of stream") || self.problem.contains("',' or")
            || self.problem.contains("expected node content")
    }

    private func line(_ number: Int) -> Substring {
        self.lines.indices.contains(number - 1) ? self.lines[number - 1] : ""
    }

    /// Returns the line of the mistake, the one above it, or the start of the part, if it is such a line.
    private func nearest(where isSo: (Substring) -> Bool) -> Int? {
        [self.line, self.line - 1, self.start ?? self.line].first { isSo(self.line($0)) }
    }

    private static func hasTemplate(_ line: Substring) -> Bool { line.contains("{{") }

    /// `level:info`
    private static func lacksSpace(_ line: Substring) -> Bool {
        line.wholeMatch(of: /[ -]*[a-z_]+:[^ \/].*/) != nil
    }
}
