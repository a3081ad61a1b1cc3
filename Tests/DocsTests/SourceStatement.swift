/// A row of docs/explanation/sources.md: one statement of a document, where it is done, and what shows it.
struct SourceStatement: Sendable {
    enum Evidence: Equatable, Sendable {
        /// A test shows it: its file, with as many of its folders as tell it from others, and its function.
        case seen(file: String, function: String)
        /// The page that the place links to says it.
        case told
        /// Another party does it.
        case notOurs(who: String)
    }

    let id: String
    /// Markdown: a link to a page, or the path of a file.
    let place: String
    /// It is nil if the last column has another form.
    let evidence: Evidence?

    /// Nil when the row does not have four columns.
    init?(cells: [String]) {
        guard cells.count == 4 else { return nil }
        self.id = cells[0]
        self.place = cells[2]
        self.evidence = Self.evidence(cells[3])
    }

    var isSeen: Bool {
        guard case .seen? = self.evidence else { return false }
        return true
    }

    var isNotOurs: Bool {
        guard case .notOurs? = self.evidence else { return false }
        return true
    }

    private static func evidence(_ cell: String) -> Evidence? {
        if cell == "told" { return .told }
        let code = Inline(cell).code
        if code.count == 2, cell == "`\(code[0])` `\(code[1])`" { return .seen(file: code[0], function: code[1]) }
        let mark = "not ours: "
        guard cell.hasPrefix(mark), cell.count > mark.count else { return nil }
        return .notOurs(who: String(cell.dropFirst(mark.count)))
    }
}
