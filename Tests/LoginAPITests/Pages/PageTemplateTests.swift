import Mustache
import Testing

@testable import LoginAPI

/// A page is made of the parts of its template, as the template library would render it.
@Suite struct PageTemplateTests {
    static let templates = [
        "", "no value", "{{title}}", "<p>{{title}}</p>\n{{title}}", "{{{script}}} and {{script}}", "{{&script}}",
        "{{#app}}<b>{{app}}</b>{{/app}}{{^app}}none{{/app}}", "{{#app}}{{#logo}}{{logo}}{{/logo}}{{title}}{{/app}}",
        "{{#openCode}}{{code}}{{/openCode}}\n{{#foldedCode}}\n{{codeEnd}}\n{{/foldedCode}}\n",
        "{{#help}}{{reference}}{{/help}}{{! a comment }}{{hint}}", "&lt;{{title}}&amp;title", "{{ title }}{{text}}",
        "\u{2}{{title}}\u{3}",
    ]
    static let texts = ["", "plain", "<&>\"'", "&amp;", "Ærø 🇩🇰", "\u{2}&title\u{3}"]

    @Test(arguments: templates) func `a page is what the library renders`(_ text: String) throws {
        let (ours, library) = (try PageTemplate(text), try MustacheTemplate(string: text))
        let names: [PageValues.Name] = [.title, .text, .app, .logo, .code, .codeEnd, .reference, .hint, .script]
        for present in 0..<(1 << names.count) {
            var values = PageValues()
            for (bit, name) in names.enumerated() where present & (1 << bit) != 0 {
                values[name] = Self.texts[(present + bit) % Self.texts.count]
            }
            values.codeForm = [nil, .open, .folded][present % 3]
            #expect(String(decoding: ours.render(values), as: UTF8.self) == library.render(values))
        }
    }

    /// The library compares characters: for it, a quotation mark that an accent follows is another character.
    @Test(arguments: ["\"", "<", ">", "&", "'"]) func `a sign is escaped whatever follows it`(_ sign: String) throws {
        var values = PageValues()
        values[.title] = "\(sign)\u{301}x"
        let page = String(decoding: try PageTemplate("<a title=\"{{title}}\">").render(values), as: UTF8.self)
        #expect(page.utf8.count { $0 == UInt8(ascii: "\"") } == 2)
        #expect(page.utf8.count { $0 == UInt8(ascii: "<") } == 1 && page.utf8.count { $0 == UInt8(ascii: ">") } == 1)
        #expect(page.contains("<a title=\"\(HTMLText.escaped(sign))\u{301}x\">"))
    }
}
