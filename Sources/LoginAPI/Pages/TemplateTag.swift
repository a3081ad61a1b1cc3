/// A tag of a Mustache template: what stands between two braces and the next two.
struct TemplateTag: Equatable {
    enum Kind {
        /// A value, or a section.
        case variable
        /// A value as HTML.
        case unescaped
        /// A partial, a block or other delimiters.
        case other
    }

    let kind: Kind
    let name: String
    let line: Int

    /// Returns the tags of a template, without comments.
    static func all(in text: String) -> [TemplateTag] {
        var tags: [TemplateTag] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            let line = 1 + text[..<start.lowerBound].count { $0.isNewline }
            if let tag = TemplateTag(rest[start.upperBound..<end.lowerBound], line: line) { tags.append(tag) }
            rest = rest[end.upperBound...]
        }
        return tags
    }

    /// Nil for a comment.
    private init?(_ content: Substring, line: Int) {
        self.line = line
        guard let sign = content.first(where: { $0 != " " }) else { return nil }
        let name = content.drop { "#^/{& ".contains($0) }
        switch sign {
        case "!": return nil
        case "{", "&": self.kind = .unescaped
        case "#", "^", "/": self.kind = .variable
        default: self.kind = sign.isLetter ? .variable : .other
        }
        self.name = String(name.prefix { $0 != " " })
    }
}
