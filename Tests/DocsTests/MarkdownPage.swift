import Foundation
import Testing

/// A page of the documentation, cut into passages, tables and code blocks.
struct MarkdownPage: Sendable {
    /// A paragraph, a list item, a heading or one row of a table, with its line ends as blanks.
    struct Passage: Sendable {
        enum Kind: Sendable {
            case prose, heading, row
        }

        let kind: Kind
        /// The number of its first line.
        let line: Int
        var text: String
    }

    /// A fenced block of code.
    struct Block: Sendable {
        let language: String
        /// The number of its first line, below the fence.
        let line: Int
        let text: String
        /// What the HTML comment before the block says, such as `test: run`. Empty without one.
        let mark: String
    }

    struct Table: Sendable {
        /// The heading above the table.
        let heading: String
        let line: Int
        let header: [String]
        let rows: [[String]]
    }

    let path: String
    let lines: [String]
    let passages: [Passage]
    let blocks: [Block]
    let tables: [Table]

    init(path: String, text: String) {
        var reader = Reader()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for (index, line) in lines.enumerated() { reader.read(line, number: index + 1) }
        self.path = path
        self.lines = lines
        self.passages = reader.passages
        self.blocks = reader.blocks
        self.tables = Self.tables(of: reader.passages)
    }

    private static func tables(of passages: [Passage]) -> [Table] {
        var tables: [Table] = []
        var heading = ""
        var rows: [Passage] = []
        func end() {
            let cells = rows.map { Self.cells($0.text) }
            // The second row has only lines.
            if cells.count > 1 {
                tables.append(
                    Table(heading: heading, line: rows[0].line, header: cells[0], rows: Array(cells.dropFirst(2))))
            }
            rows = []
        }
        for passage in passages {
            if passage.kind == .row, rows.last.map({ $0.line + 1 == passage.line }) ?? true {
                rows.append(passage)
                continue
            }
            end()
            if passage.kind == .heading { heading = passage.text }
            if passage.kind == .row { rows = [passage] }
        }
        end()
        return tables
    }

    /// The cells of a row, without the bars at its ends.
    private static func cells(_ row: String) -> [String] {
        let text = row.replacing("\\|", with: "\u{0}")
        return text.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
            $0.trimmingCharacters(in: .whitespaces).replacing("\u{0}", with: "|")
        }
    }
}

extension MarkdownPage: CustomTestStringConvertible {
    var testDescription: String { self.path }
}

extension MarkdownPage {
    /// Reads a page line by line.
    private struct Reader {
        private struct Fence {
            let end: String
            let language: String
            let mark: String
            let line: Int
            var lines: [String] = []
        }

        private(set) var passages: [Passage] = []
        private(set) var blocks: [Block] = []
        private var fencingToken: Fence?
        private var mark = ""
        private var isInComment = false
        /// The last passage ends at a blank line, a heading, a row or a block.
        private var isOpen = false

        mutating func read(_ line: String, number: Int) {
            let text = line.trimmingCharacters(in: .whitespaces)
            if self.fencingToken != nil { return self.readCode(line, text) }
            if text.hasPrefix("```") { return self.begin(text, number) }
            if self.isInComment || text.hasPrefix("<!--") { return self.readComment(text) }
            guard !text.isEmpty else {
                self.isOpen = false
                return
            }
            self.mark = ""
            if text.hasPrefix("#"), text.drop(while: { $0 == "#" }).hasPrefix(" ") {
                self.add(.heading, String(text.drop { $0 == "#" }.dropFirst()), number)
            } else if text.hasPrefix("|") {
                self.add(.row, text, number)
            } else if self.isOpen, !text.hasPrefix("- "), let last = self.passages.indices.last {
                self.passages[last].text += " " + text
            } else {
                self.add(.prose, text, number)
                self.isOpen = true
            }
        }

        private mutating func add(_ kind: Passage.Kind, _ text: String, _ number: Int) {
            self.passages.append(Passage(kind: kind, line: number, text: text))
            self.isOpen = false
        }

        private mutating func begin(_ text: String, _ number: Int) {
            let ticks = text.prefix { $0 == "`" }
            let language = text.dropFirst(ticks.count).trimmingCharacters(in: .whitespaces)
            self.fencingToken = Fence(end: String(ticks), language: language, mark: self.mark, line: number + 1)
            self.mark = ""
            self.isOpen = false
        }

        private mutating func readCode(_ line: String, _ text: String) {
            guard let fencingToken, text == fencingToken.end else {
                self.fencingToken?.lines.append(line)
                return
            }
            let code = fencingToken.lines.map { $0 + "\n" }.joined()
            self.blocks.append(
                Block(language: fencingToken.language, line: fencingToken.line, text: code, mark: fencingToken.mark))
            self.fencingToken = nil
        }

        /// Only a comment of one line marks a block.
        private mutating func readComment(_ text: String) {
            let ends = text.hasSuffix("-->")
            self.mark = ""
            if !self.isInComment, ends {
                self.mark = text.dropFirst(4).dropLast(3).trimmingCharacters(in: .whitespaces)
            }
            self.isInComment = !ends
            self.isOpen = false
        }
    }
}
