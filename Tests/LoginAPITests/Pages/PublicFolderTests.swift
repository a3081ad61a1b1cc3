import Base
import BuiltInFiles
import Foundation
import JOSE
import Testing

@testable import LoginAPI

/// Tests an operator's folder over the built-in files: each file replaces ours, and what is wrong is named.
@Suite struct PublicFolderTests {
    /// Makes a folder for a test, and removes it afterwards. A name that ends with `/` is a folder.
    static func overlaid<Result>(
        _ files: [String: String], _ use: (PublicFolder) throws -> Result
    ) throws -> (result: Result?, complaint: String?) {
        let root = FileManager.default.temporaryDirectory.appending(path: "public-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        for (name, text) in files {
            let file = root.appending(path: name)
            let folder = name.hasSuffix("/") ? file : file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            if !name.hasSuffix("/") { try Data(text.utf8).write(to: file) }
        }
        do {
            return (try use(try PublicFolder(root.path)), nil)
        } catch {
            return (nil, "\(error)".replacing(root.path, with: "Own"))
        }
    }

    /// Returns why a server would not start with these files.
    static func complaint(_ files: [String: String]) throws -> String? {
        try Self.overlaid(files) { folder in
            _ = try Pages(folder, apps: [:])
            _ = try PublicFiles(folder, assertionKeys: JWKSet([]), clientKeys: JWKSet([]))
        }.complaint
    }

    @Test func `the built-in files are those of the folder Public`() throws {
        let folder = URL(filePath: HandlerBench.publicFolder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        var files: [String: String] = [:]
        for name in names where !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
            let file = folder.appending(path: name)
            guard try file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == false else { continue }
            files[name] = try String(contentsOf: file, encoding: .utf8)
        }
        #expect(BuiltInFiles.all.keys.sorted() == files.keys.sorted())
        #expect(BuiltInFiles.all == files)
    }

    @Test func `a file of the operator replaces ours`() throws {
        let files = ["assets/switchback.css": "p{}", "openapi.yaml": "openapi: 3", "templates/page.js": "1"]
        let found = try Self.overlaid(files) { folder in
            try files.keys.sorted().map { try folder.text(of: $0) } + [try folder.text(of: "strings/en.yaml")]
        }
        #expect(found.result == ["p{}", "openapi: 3", "1", BuiltInFiles.all["strings/en.yaml"] ?? ""])
    }

    static let close = "texts: {close_hint: Slut.}"

    @Test(
        arguments: [
            (["strings/da.yaml": close], "da", "Slut.", "Tilbage til Demo"),
            // The file of the language counts for its regions, and that of a region before it.
            (["strings/sv.yaml": close], "sv-FI", "Slut.", "Tillbaka till Demo"),
            (["strings/sv.yaml": close, "strings/sv-FI.yaml": "texts: {close_hint: Klart.}"], "sv-FI", "Klart.", nil),
            (["strings/de-CH.yaml": "review: draft\n\(close)"], "de-CH", "Slut.", "Zurück zu Demo"),
            (["strings/sv.yaml": close], "da", "Du kan lukke siden.", nil),
        ] as [([String: String], String, String, String?)]) func `a text of the operator replaces ours`(
            _ files: [String: String], _ tag: String, _ hint: String, _ button: String?
        ) throws
    {
        let texts = try Self.overlaid(files) { folder in
            let language = try PageStrings(folder).language(for: [tag])
            return [PageText.closeHint, .backButton].map {
                PageSentence.unbroken(language.text($0, app: "Demo", provider: nil))
            }
        }
        #expect(texts.complaint == nil)
        #expect(texts.result?[0] == hint)
        if let button { #expect(texts.result?[1] == button) }
    }

    @Test(arguments: [
        ("template/page.mustache", "template: is not a file of the pages; did you mean templates?"),
        (
            "templates/page.mustach",
            "templates/page.mustach: is not a file of the pages; did you mean templates/page.mustache?"
        ),
        ("openapi.yml", "openapi.yml: is not a file of the pages; did you mean openapi.yaml?"),
        ("strings.yaml", "strings.yaml: is not a file of the pages; did you mean strings?"),
        ("strings/da.txt", "strings/da.txt: is no file of texts: use .yaml"),
        ("assets/x.exe", "assets/x.exe: has an unknown type: use css, svg, png, ico, woff2 or txt"),
        ("templates/page.mustache/", "templates/page.mustache: Is a directory"),
    ]) func `a file that replaces nothing is named`(_ name: String, _ message: String) throws {
        #expect(try Self.complaint([name: ""]) == "Own/\(message)")
    }

    @Test(arguments: ["assets/.DS_Store", ".git/", "assets/logo.png", "assets/"])
    func `other files are left alone`(_ name: String) throws {
        #expect(try Self.complaint([name: ""]) == nil)
    }

    @Test func `a folder that is not there is named`() throws {
        #expect(throws: OperatorError("/nowhere: No such file or directory")) {
            try PublicFolder("/nowhere")
        }
    }

    @Test(arguments: [
        ("{{titel}}", "1: {{titel}} is not a variable of any page; did you mean title?"),
        (
            "<p>\n\n{{ text }}{{#retunURL}}{{/retunURL}}",
            "3: {{retunURL}} is not a variable of any page; did you mean returnURL?"
        ),
        ("a\n{{{heading}}}", "2: {{{heading}}} would not be escaped: write {{heading}}"),
        ("{{&heading}}", "1: {{{heading}}} would not be escaped: write {{heading}}"),
        ("{{! a comment }}\n{{#title}}{{.}}{{/title}}", "2: {{.}} is a kind of tag that pages do not use"),
        ("\n{{>part}}", "2: {{>part}} is a kind of tag that pages do not use"),
        ("<p>\n\u{2}&heading\u{3}", "2: HTML does not allow the control characters U+0002 and U+0003"),
    ]) func `a wrong variable is named`(_ template: String, _ message: String) throws {
        #expect(try Self.complaint(["templates/page.mustache": template]) == "Own/templates/page.mustache:\(message)")
    }

    @Test(arguments: [
        "", "{{title}}", "{{^code}}{{heading}}{{/code}}", "{{#script}}<script>{{{script}}}</script>{{/script}}",
    ])
    func `a template may leave things out`(_ template: String) throws {
        #expect(try Self.complaint(["templates/page.mustache": template]) == nil)
    }

    @Test func `a broken template is named`() throws {
        let complaint = try Self.complaint(["templates/page.mustache": "{{#title}}"])
        #expect(complaint?.hasPrefix("Own/templates/page.mustache: is not a mustache template") == true)
    }

    @Test func `a script that would end its element is named`() throws {
        let complaint = try Self.complaint(["templates/page.js": "'</script>'"])
        #expect(complaint == "Own/templates/page.js: cannot be inlined in a page: it contains </script")
    }

    @Test(arguments: [
        ("da", "texts:\n  close_hnit: x", ":2: close_hnit is not a key of any page; did you mean close_hint?"),
        ("sv-FI", "\ntexts:\n\n  x: x", ":4: x is not a key of any page"),
        ("da", "directon: ltr", ":1: directon is not a key of any page; did you mean direction?"),
        ("da", "text: {}", ":1: text is not a key of any page; did you mean texts?"),
        ("da", "texts:\n  close_hint: \"\"", ":2: close_hint is empty"),
        (
            "da", "texts:\n  close_hint: a {ap}",
            ":2: close_hint has {ap}, but only {app}, {provider}, {minutes} and {seconds} are known"
        ),
        ("da", "texts: {close_hint: \"Luk {app\"}", ":1: close_hint has a brace too many"),
        ("da", "texts: {close_hint: \"Luk app}\"}", ":1: close_hint has a brace too many"),
        ("da", "review: fine", ": review must be draft, or reviewed by and a name"),
        ("da", "review: \"reviewed by \"", ": review must be draft, or reviewed by and a name"),
        ("kl", "opt_in: maybe", ": opt_in must be true or false"),
        ("da", "direction: up", ": direction must be ltr or rtl"),
        // A new language needs everything, and a region at least its review.
        ("is", "direction: ltr", ": review is missing"),
        ("is", "review: draft", ": direction is missing"),
        ("is", "review: draft\ndirection: ltr\nthe_app: a\nthe_provider: b", ": completing_title is missing"),
        ("de-CH", "texts: {}", ": review is missing"),
        ("da", "- a", ":1: is not a table of texts"),
        ("da", "texts: {close_hint: {a: b}}", ":1: is not a table of texts"),
        ("da", "review: [a]", ":1: is not a table of texts"),
    ]) func `a wrong file of texts is named`(_ file: String, _ yaml: String, _ message: String) throws {
        let complaint = try Self.complaint(["strings/\(file).yaml": yaml])
        #expect(complaint?.hasPrefix("Own/strings/\(file).yaml\(message)") == true, "\(complaint ?? "nil")")
    }

    @Test(arguments: ["texts: [", "review: draft\nreview: draft"])
    func `a file that is no table of texts is named`(_ yaml: String) throws {
        let complaint = try Self.complaint(["strings/da.yaml": yaml])
        #expect(complaint?.hasPrefix("Own/strings/da.yaml: is not a table of texts") == true)
    }
}
