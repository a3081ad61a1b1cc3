import Foundation

/// The page of a module: README.md in its folder.
struct ModulePage: Sendable {
    /// What each page says, in this order.
    static let parts = ["**It owns**", "**It does not know**", "**In:**", "**Out:**", "**Start at**"]

    let module: Module
    let text: String

    init(of module: Module) throws {
        self.module = module
        self.text = try String(contentsOf: SourceTree.root.appending(path: Self.path(of: module)), encoding: .utf8)
    }

    /// From the package's folder.
    static func path(of module: Module) -> String { "\(module.path)/README.md" }

    var path: String { Self.path(of: self.module) }

    /// The page without its generated part.
    var written: String {
        guard let begin = self.text.range(of: "\n<!-- Generated from "),
            let end = self.text.range(of: DrawnPart.end, range: begin.upperBound..<self.text.endIndex)
        else { return self.text }
        return self.text.replacingCharacters(in: begin.lowerBound..<end.upperBound, with: "")
    }

    /// What the module does: the first sentence without its subject, which is the module, and without the full stop.
    /// Nil unless the page begins with it.
    var purpose: String? {
        let (name, paragraphs) = (self.module.name, self.text.components(separatedBy: "\n\n"))
        guard paragraphs.count > 1, paragraphs[0] == "# \(name)" else { return nil }
        let sentence = paragraphs[1].replacingOccurrences(of: "\n", with: " ")
        guard sentence.hasPrefix("`\(name)` "), sentence.hasSuffix(".") else { return nil }
        let purpose = sentence.dropFirst(name.count + 3).dropLast()
        return purpose.contains(".") ? nil : String(purpose)
    }

    /// Where the links lead, relative to the page's folder.
    var links: [String] { self.text.matches(of: /\]\(([^)#]+)[^)]*\)/).map { String($0.1) } }

    /// What stands between backticks.
    var code: [String] { self.text.matches(of: /`([^`\n]+)`/).map { String($0.1) } }
}
