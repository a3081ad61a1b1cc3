import Mustache

/// The template of the pages, cut into parts once for each set of names that a page has values for.
///
/// The library finds each value by its name and looks at each character, which was an eighth of a login's time. So it
/// renders each set of names once, with marks for their values, and a page fills in the values.
struct PageTemplate: Sendable {
    private enum Part {
        case text([UInt8])
        case value(PageValues.Name)
        case unescaped(PageValues.Name)
    }

    private let template: MustacheTemplate
    /// Our own code chooses the names of a page, so there are few.
    private let parts = ValueCache<PageValues.Outline, [Part]>(limit: 1_000)

    /// Whether a template must not contain it, because it marks values.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool { scalar == Mark.start || scalar == Mark.end }

    init(_ text: String) throws { self.template = try MustacheTemplate(string: text) }

    func render(_ values: PageValues) -> [UInt8] {
        var page: [UInt8] = []
        page.reserveCapacity(8192)
        for part in self.parts.value(values.outline, self.parts(of:)) {
            switch part {
            case .text(let bytes): page += bytes
            case .value(let name): HTMLText.append(values[name] ?? "", to: &page)
            case .unescaped(let name): page += (values[name] ?? "").utf8
            }
        }
        return page
    }

    private func parts(of outline: PageValues.Outline) -> [Part] {
        var values = PageValues()
        values.codeForm = outline.codeForm
        for name in outline.names { values[name] = Mark.text(of: name) }
        var parts: [Part] = []
        var rest = self.template.render(values)[...].unicodeScalars
        while let end = rest.firstIndex(of: Mark.end) {
            let next = rest.index(after: end)
            if let start = rest[..<end].lastIndex(of: Mark.start), let part = Mark.part(for: rest[start..<end]) {
                parts += [.text(Array(Substring(rest[..<start]).utf8)), part]
            } else {
                parts.append(.text(Array(Substring(rest[..<next]).utf8)))
            }
            rest = rest[next...]
        }
        return parts + [.text(Array(Substring(rest).utf8))]
    }

    /// Stands for a value: its name between two control characters, which no page may contain (HTML §13.2.3.5). The
    /// ampersand shows whether the template escapes the value.
    private enum Mark {
        static let start: Unicode.Scalar = "\u{2}"
        static let end: Unicode.Scalar = "\u{3}"

        static func text(of name: PageValues.Name) -> String { "\(self.start)&\(name.rawValue)\(self.end)" }

        /// The mark is without its end. Returns nil if it is not one of ours.
        static func part(for mark: Substring.UnicodeScalarView) -> Part? {
            let mark = String(mark.dropFirst())
            func name(after sign: String) -> PageValues.Name? {
                mark.hasPrefix(sign) ? PageValues.Name(rawValue: String(mark.dropFirst(sign.count))) : nil
            }
            return name(after: "&amp;").map { .value($0) } ?? name(after: "&").map { .unescaped($0) }
        }
    }
}
