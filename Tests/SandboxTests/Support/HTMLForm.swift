import Base

/// The forms of a page. The parser is as simple as our own pages.
struct HTMLForm {
    let method: String
    let action: String
    /// The hidden fields.
    let fields: [Parameter]

    static func forms(in page: String) -> [Self] {
        page.split(separator: "<form ").dropFirst().map { part in
            let tag = part.prefix { $0 != ">" }
            let content = part.split(separator: "</form>").first ?? ""
            let inputs = content.split(separator: "<input ").dropFirst().filter { $0.hasPrefix("type=\"hidden\"") }
            return Self(
                method: self.attribute("method", in: tag), action: self.attribute("action", in: tag),
                fields: inputs.map { Parameter(self.attribute("name", in: $0), self.attribute("value", in: $0)) })
        }
    }

    private static func attribute(_ name: String, in tag: Substring) -> String {
        guard let start = tag.firstRange(of: "\(name)=\"") else { return "" }
        let value = tag[start.upperBound...].prefix { $0 != "\"" }
        return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(String(value)) {
            $0.replacing($1.0, with: $1.1)
        }
    }
}
